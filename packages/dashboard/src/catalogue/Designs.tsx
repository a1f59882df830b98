/** Designs: all of them, and one with its canvas. */
import { useQuery } from "@tanstack/react-query"
import type { Column } from "../parts/Rows.tsx"
import { created, Time } from "../parts/Time.tsx"
import { Canvas } from "./canvas/Canvas.tsx"
import { among, ByProduct, ByStore } from "./Filters.tsx"
import { Name, NamedLink, RecordLink, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import { known, type Summary, type Whole } from "./Records.ts"
import { design_statuses, designState, State } from "./State.tsx"

/** The beginning of a token tells designs apart; whoever has all of it has the customer's session. */
const short = (token: string): string => (token.length > 12 ? `${token.slice(0, 12)}…` : token)

const columns: ReadonlyArray<Column<Summary<"designs">>> = [
  {
    name: "Session",
    cell: ({ id, session_token }) => (
      <RecordLink kind="designs" id={id}>
        <span className="mono">{short(session_token)}</span>
      </RecordLink>
    ),
  },
  { name: "Product", cell: ({ product_id }) => <Name kind="products" id={product_id} /> },
  { name: "State", width: 120, cell: (design) => <State {...designState(design)} /> },
  { name: "Changed", width: 132, cell: ({ updated_at }) => <Time at={updated_at} /> },
  created,
]

const filters = {
  status: among("Status", "All statuses", design_statuses),
  store_id: ByStore,
  product_id: ByProduct,
}

export const Designs = () => <Listing kind="designs" columns={columns} filters={filters} />

/** Where the print areas cannot be had, their canvases are drawn all the same. */
const Drawn = ({ canvas_data, product_id }: Pick<Whole<"designs">, "canvas_data" | "product_id">) => {
  const { data, isError } = useQuery(known("print_areas", { product_id }))
  return <Canvas canvas_data={canvas_data} areas={isError ? null : data?.data} />
}

export const Design = ({ id }: { id: string }) => (
  <One
    kind="designs"
    id={id}
    title={({ session_token }) => `Design ${short(session_token)}`}
    facts={(design) => [
      { name: "State", value: <State {...designState(design)} /> },
      { name: "Product", value: <NamedLink kind="products" id={design.product_id} /> },
      { name: "Store", value: <NamedLink kind="stores" id={design.store_id} /> },
      { name: "Preview", value: <Url url={design.preview_url} /> },
    ]}
    json={({ canvas_data, metadata }) => ({ Metadata: metadata, "Canvas as JSON": canvas_data })}
  >
    {({ canvas_data, product_id }) => <Drawn canvas_data={canvas_data} product_id={product_id} />}
  </One>
)
