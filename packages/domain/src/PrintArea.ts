/** A zone of a product that customers can print on. */
import { Schema } from "effect"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Resource from "./Resource.ts"
import * as Value from "./Value.ts"

/** Where the zone lies on the product's image, in pixels. */
export const Bounds = Schema.Struct({
  x: Schema.Finite,
  y: Schema.Finite,
  width: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
  height: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
}).annotate({ identifier: "Bounds" })

export const resource = Resource.make(
  "print_area",
  Id.PrintAreaId,
  {
    product_id: Field.given(Id.ProductId.id),
    name: Field.required(Value.Name),
    width_px: Field.required(Value.Pixels),
    height_px: Field.required(Value.Pixels),
    bounds: Field.nullable(Bounds),
    background_url: Field.nullable(Value.Url),
    position: Field.assigned(Value.Position),
  },
  {
    path: "print_areas",
    search: "name",
    references: { product_id: { to: "products", name: "product" } },
    order: "position",
    position_within: "product_id",
  },
)

export type PrintArea = typeof resource.record.Type
