/** Products: all of them, and one with its print areas and variants. */
import { Group, Text, Title } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Loaded } from "../parts/Loaded.tsx"
import { type Column, Rows } from "../parts/Rows.tsx"
import { Time } from "../parts/Time.tsx"
import { ByStore, useNames } from "./Filters.tsx"
import { Dimmed, ListLink, NamedLink, RecordLink, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import { columns as areaColumns } from "./PrintAreas.tsx"
import { records, type Summary } from "./Records.ts"
import { State } from "./State.tsx"

const Customizable = ({ customizable }: { customizable: boolean }) =>
  customizable ? <State label="Customizable" color="teal" /> : <State label="Not customizable" color="gray" />

const columns = (nameOf: (id: string) => string): ReadonlyArray<Column<Summary<"products">>> => [
  {
    name: "Name",
    cell: ({ id, name }) => (
      <RecordLink kind="products" id={id}>
        {name}
      </RecordLink>
    ),
  },
  { name: "Store", cell: ({ store_id }) => <span className="name">{nameOf(store_id)}</span> },
  { name: "State", width: 160, cell: (product) => <Customizable {...product} /> },
  { name: "Created", width: 132, cell: ({ created_at }) => <Time at={created_at} /> },
]

const filters = { store_id: ByStore }

export const Products = () => {
  const nameOf = useNames("stores")
  return <Listing kind="products" columns={columns(nameOf)} filters={filters} />
}

const Areas = ({ product_id }: { product_id: string }) => {
  const found = useQuery(records("print_areas", { product_id }))
  return (
    <section>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Print areas
      </Title>
      <Loaded query={found} what="print areas">
        {found.data?.data.length === 0 ? (
          <Text size="sm" c="dimmed" className="panel" p="md">
            This product has no print areas yet, so that there is nothing to print on.
          </Text>
        ) : (
          <Rows label="Print areas" columns={areaColumns} rows={found.data?.data} expected={2} id={({ id }) => id} />
        )}
      </Loaded>
    </section>
  )
}

export const Product = ({ id }: { id: string }) => (
  <One
    kind="products"
    id={id}
    title={({ name }) => name}
    facts={(product) => [
      { name: "State", value: <Customizable {...product} /> },
      { name: "Store", value: <NamedLink kind="stores" id={product.store_id} /> },
      { name: "Description", value: product.description ?? <Dimmed>None</Dimmed> },
      { name: "Base image", value: <Url url={product.base_image_url} /> },
    ]}
    json={({ variants }) => ({ Variants: variants })}
  >
    {() => (
      <>
        <Group mt="lg">
          <ListLink kind="designs" search={{ product_id: id }}>
            Designs of this product
          </ListLink>
        </Group>
        <Areas product_id={id} />
      </>
    )}
  </One>
)
