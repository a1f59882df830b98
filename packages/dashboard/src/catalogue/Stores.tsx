/** Stores: all of them, and one with what it sells. */
import { Group } from "@mantine/core"
import type { Column } from "../parts/Rows.tsx"
import { created } from "../parts/Time.tsx"
import { among } from "./Filters.tsx"
import { Dimmed, ListLink, named, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import type { Summary } from "./Records.ts"
import { Active, connections, State } from "./State.tsx"

const columns: ReadonlyArray<Column<Summary<"stores">>> = [
  named("stores"),
  { name: "Platform", width: 140, cell: ({ platform }) => <span className="name">{platform}</span> },
  {
    name: "Domain",
    cell: ({ domain }) => (domain === null ? <Dimmed>None</Dimmed> : <span className="mono">{domain}</span>),
  },
  { name: "Connection", width: 120, cell: ({ connection_status }) => <State {...connections[connection_status]} /> },
  created,
]

const filters = { connection_status: among("Connection", "All connections", connections) }

export const Stores = () => <Listing kind="stores" columns={columns} filters={filters} />

export const Store = ({ id }: { id: string }) => (
  <One
    kind="stores"
    id={id}
    title={({ name }) => name}
    facts={(store) => [
      { name: "Connection", value: <State {...connections[store.connection_status]} /> },
      { name: "State", value: <Active active={store.active} /> },
      { name: "Platform", value: store.platform },
      { name: "Domain", value: store.domain ?? <Dimmed>None</Dimmed> },
      { name: "Address", value: <Url url={store.store_url} /> },
      { name: "Id at the platform", value: store.external_store_id ?? <Dimmed>None</Dimmed> },
    ]}
  >
    {() => (
      <Group mt="lg">
        <ListLink kind="products" search={{ store_id: id }}>
          Products of this store
        </ListLink>
        <ListLink kind="templates" search={{ store_id: id }}>
          Templates of this store
        </ListLink>
        <ListLink kind="designs" search={{ store_id: id }}>
          Designs of this store
        </ListLink>
      </Group>
    )}
  </One>
)
