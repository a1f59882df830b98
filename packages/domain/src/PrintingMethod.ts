/** A way of printing, such as screen print or embroidery. Seen in events only; a sensible minimum of fields. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

export const PrintingMethod = Schema.Struct({
  id: Id.PrintingMethodId.id,
  account_id: Id.AccountId.id,
  name: Value.Name,
  pricing: Value.JsonObject,
  settings: Value.JsonObject,
  active: Schema.Boolean,
  created_at: Value.Timestamp,
  updated_at: Value.Timestamp,
}).annotate({ identifier: "PrintingMethod" })
export type PrintingMethod = typeof PrintingMethod.Type
