/** An archive of marketing mockups of one product. Seen in events only; a sensible minimum of fields. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

export const Mockup = Schema.Struct({
  id: Id.MockupId.id,
  product_id: Id.ProductId.id,
  design_id: Schema.NullOr(Id.DesignId.id),
  /** Where the ZIP archive can be fetched. */
  file_url: Value.Url,
  /** Images in the archive. */
  image_count: Value.Count,
  created_at: Value.Timestamp,
}).annotate({ identifier: "Mockup" })
export type Mockup = typeof Mockup.Type
