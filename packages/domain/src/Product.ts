/** A customizable product of a store. */
import { Schema } from "effect"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Resource from "./Resource.ts"
import * as Value from "./Value.ts"

export const resource = Resource.make(
  "product",
  Id.ProductId,
  {
    name: Field.required(Value.Name),
    description: Field.apart(Field.nullable(Value.Text)),
    store_id: Field.required(Id.StoreId.id, Id.StoreId.input),
    customizable: Field.defaulted(Schema.Boolean, true),
    base_image_url: Field.nullable(Value.Url),
    variants: Field.apart(Field.defaulted(Value.JsonArray, [])),
  },
  { path: "products", search: "name", references: { store_id: { to: "stores", name: "store" } } },
)

export type Product = typeof resource.record.Type
