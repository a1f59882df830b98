/** A design to start from. */
import { Schema } from "effect"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Resource from "./Resource.ts"
import * as Value from "./Value.ts"

export const resource = Resource.make(
  "template",
  Id.TemplateId,
  {
    name: Field.required(Value.Name),
    description: Field.apart(Field.nullable(Value.Text)),
    store_id: Field.required(Id.StoreId.id, Id.StoreId.input),
    active: Field.defaulted(Schema.Boolean, true),
    canvas_data: Field.apart(Field.defaulted(Value.JsonObject, {})),
    thumbnail_url: Field.nullable(Value.Url),
  },
  { path: "templates", search: "name", references: { store_id: { to: "stores", name: "store" } } },
)

export type Template = typeof resource.record.Type
