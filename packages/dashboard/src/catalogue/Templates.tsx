/** Templates: all of them, and one with its canvas. */
import type { Column } from "../parts/Rows.tsx"
import { created } from "../parts/Time.tsx"
import { Canvas } from "./canvas/Canvas.tsx"
import { ByStore } from "./Filters.tsx"
import { Dimmed, Name, named, NamedLink, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import type { Summary } from "./Records.ts"
import { Active } from "./State.tsx"

const columns: ReadonlyArray<Column<Summary<"templates">>> = [
  named("templates"),
  { name: "Store", cell: ({ store_id }) => <Name kind="stores" id={store_id} /> },
  { name: "State", width: 140, cell: (template) => <Active {...template} /> },
  created,
]

const filters = { store_id: ByStore }

export const Templates = () => <Listing kind="templates" columns={columns} filters={filters} />

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
