/** A delivery as a row. */
import { Delivery } from "@tc/domain"
import { Schema } from "effect"
import { plain } from "./Table.ts"

const decode = Schema.decodeUnknownSync(Delivery.Delivery)

/** In the table one time says when a worker may take a delivery; people see it as what it means in each status. */
export const show = (row: object): Delivery.Delivery => {
  const { due_at, lease_until, ...rest } = plain(row)
  return decode({
    ...rest,
    due_at: rest["status"] === "pending" ? due_at : null,
    lease_until: rest["status"] === "delivering" ? (lease_until ?? due_at) : null,
  })
}
