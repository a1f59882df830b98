/** Several variants of one design, ordered together. Seen in events only. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

/** One variant and how many of it. */
export const BulkOrderItem = Schema.Struct({
  id: Id.BulkOrderItemId.id,
  /** Option name to option value, such as size and color. */
  variant_options: Schema.Record(Schema.String, Schema.String),
  quantity: Value.Count,
}).annotate({ identifier: "BulkOrderItem" })

export const BulkOrder = Schema.Struct({
  id: Id.BulkOrderId.id,
  design_id: Id.DesignId.id,
  /** `completed` is the one status that is settled; others will be added. */
  status: Value.Label,
  total_quantity: Value.Count,
  items: Schema.Array(BulkOrderItem),
}).annotate({ identifier: "BulkOrder" })
export type BulkOrder = typeof BulkOrder.Type
