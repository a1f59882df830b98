/** Print areas: all of them, and one with its size. */
import { digits } from "../parts/Count.ts"
import type { Column } from "../parts/Rows.tsx"
import { created } from "../parts/Time.tsx"
import { ByProduct } from "./Filters.tsx"
import { Dimmed, Name, named, NamedLink, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import type { Summary, Whole } from "./Records.ts"

/** How large an area is, in words. */
export const sizeOf = ({ width_px, height_px }: Pick<Whole<"print_areas">, "width_px" | "height_px">): string =>
  `${digits(width_px)} × ${digits(height_px)} px`

const others: ReadonlyArray<Column<Summary<"print_areas">>> = [
  { name: "Size", width: 180, cell: sizeOf },
  { name: "Position", width: 96, cell: ({ position }) => position },
  created,
]

/** For one product. */
export const columns: ReadonlyArray<Column<Summary<"print_areas">>> = [named("print_areas"), ...others]

const filters = { product_id: ByProduct }

/** For all products. */
const columnsWithProduct: ReadonlyArray<Column<Summary<"print_areas">>> = [
  named("print_areas"),
  { name: "Product", cell: ({ product_id }) => <Name kind="products" id={product_id} /> },
  ...others,
]

export const PrintAreas = () => <Listing kind="print_areas" columns={columnsWithProduct} filters={filters} />

/** Where an area lies on the picture of its product. */
const Place = ({ bounds }: Pick<Whole<"print_areas">, "bounds">) =>
  bounds === null ? (
    <Dimmed>Not said</Dimmed>
  ) : (
    `${bounds.width} × ${bounds.height} px, ${bounds.x} px from the left and ${bounds.y} px from the top`
  )

export const PrintArea = ({ id }: { id: string }) => (
  <One
    kind="print_areas"
    id={id}
    title={({ name }) => name}
    facts={(area) => [
      { name: "Product", value: <NamedLink kind="products" id={area.product_id} /> },
      { name: "Size", value: sizeOf(area) },
      { name: "On the product’s image", value: <Place bounds={area.bounds} /> },
      { name: "Position", value: area.position },
      { name: "Background", value: <Url url={area.background_url} /> },
    ]}
  />
)
