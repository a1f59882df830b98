/** Templates: all of them, and one with its canvas. */
import type { Column } from "../parts/Rows.tsx"
import { created } from "../parts/Time.tsx"
import { Canvas } from "./canvas/Canvas.tsx"
import { ByStore, useNames } from "./Filters.tsx"
import { Dimmed, named, NamedLink, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import type { Summary } from "./Records.ts"
import { Active } from "./State.tsx"

const columns = (nameOf: (id: string) => string): ReadonlyArray<Column<Summary<"templates">>> => [
  named("templates"),
  { name: "Store", cell: ({ store_id }) => <span className="name">{nameOf(store_id)}</span> },
  { name: "State", width: 140, cell: (template) => <Active {...template} /> },
  created,
]

const filters = { store_id: ByStore }

export const Templates = () => {
  const nameOf = useNames("stores")
  return <Listing kind="templates" columns={columns(nameOf)} filters={filters} />
}

export const Template = ({ id }: { id: string }) => (
  <One
    kind="templates"
    id={id}
    title={({ name }) => name}
    facts={(template) => [
      { name: "State", value: <Active {...template} /> },
      { name: "Store", value: <NamedLink kind="stores" id={template.store_id} /> },
      { name: "Description", value: template.description ?? <Dimmed>None</Dimmed> },
      { name: "Thumbnail", value: <Url url={template.thumbnail_url} /> },
    ]}
    json={({ canvas_data }) => ({ "Canvas as JSON": canvas_data })}
  >
    {({ canvas_data }) => <Canvas canvas_data={canvas_data} areas={null} />}
  </One>
)
