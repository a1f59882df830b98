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

/** The id of a new delivery as an expression: it begins as that of its event, which orders it as that, and ends at random. */
export const idOf = (event_id: string): string =>
  `encode(overlay(uuid_send(gen_random_uuid()) PLACING substring(uuid_send(${event_id}) FROM 1 FOR 8) FROM 1), 'hex')::uuid`

/** The deliveries of an event as a condition: a range of ids, as an index has them, and in it those of that event. */
export const isOf = (delivery: string, event_id: string): string =>
  `${delivery}.id >= (left(${event_id}::text, 18) || '-0000-000000000000')::uuid
      AND ${delivery}.id <= (left(${event_id}::text, 18) || '-ffff-ffffffffffff')::uuid AND ${delivery}.event_id = ${event_id}`
