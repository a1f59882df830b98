/** UUID version 7: ids that sort by the time they were made, which keeps the right edge of a primary key warm. */
import { randomFillSync } from "node:crypto"

const bytes = Buffer.alloc(16)

/** A new id. */
export const v7 = (): string => {
  randomFillSync(bytes, 6)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
