/** Assets: all of them, and one. */
import type { Column } from "../parts/Rows.tsx"
import { created } from "../parts/Time.tsx"
import { among } from "./Filters.tsx"
import { Dimmed, named, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import type { Summary } from "./Records.ts"
import { asset_types, State } from "./State.tsx"

const Category = ({ category }: { category: string | null }) =>
  category === null ? <Dimmed>None</Dimmed> : <span className="name">{category}</span>

const columns: ReadonlyArray<Column<Summary<"assets">>> = [
  named("assets"),
  { name: "Type", width: 140, cell: ({ asset_type }) => <State {...asset_types[asset_type]} /> },
  { name: "Category", cell: ({ category }) => <Category category={category} /> },
  created,
]

const filters = { asset_type: among("Type", "All types", asset_types) }

export const Assets = () => <Listing kind="assets" columns={columns} filters={filters} />

export const Asset = ({ id }: { id: string }) => (
  <One
    kind="assets"
    id={id}
    title={({ name }) => name}
    facts={(asset) => [
      { name: "Type", value: <State {...asset_types[asset.asset_type]} /> },
      { name: "Category", value: <Category {...asset} /> },
      { name: "File", value: <Url url={asset.file_url} /> },
    ]}
    json={({ metadata }) => ({ Metadata: metadata })}
  />
)
