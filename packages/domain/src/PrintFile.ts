/** A print file rendered from a finalized design. Seen in events only; a sensible minimum of fields. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

export const PrintFile = Schema.Struct({
  id: Id.PrintFileId.id,
  design_id: Id.DesignId.id,
  print_area_id: Id.PrintAreaId.id,
  /** Where the file can be fetched. */
  file_url: Value.Url,
  /** Such as `png` or `pdf`. */
  format: Value.Label,
  width_px: Value.Pixels,
  height_px: Value.Pixels,
  /** Dots per inch. */
  dpi: Value.Count,
  created_at: Value.Timestamp,
}).annotate({ identifier: "PrintFile" })
export type PrintFile = typeof PrintFile.Type
