/** Keeps raised events, gives every active endpoint that wants one its delivery, and hands the deliveries over. */
import { type Delivery, Event, Id, type Resource, Value, WebhookEndpoint } from "@tc/domain"
import { isGated } from "../Gate.ts"
import * as Ids from "../Ids.ts"
import { lease } from "./Leasing.ts"
import type { DeliveryRow, EventRow, Memory } from "./Memory.ts"

/** An event as it will be kept. */
export const rowOf = (
  memory: Memory["Service"],
  account_id: Id.AccountId,
  raised: Resource.Raised,
  millis: number,
): EventRow => ({
  id: Id.EventId.id.make(memory.nextId(millis)),
  event: raised.event,
  tail: Event.tail(raised, account_id, Value.timestamp(millis)),
})

/** Part of a step. It throws, if at all, before it writes. */
export const commit = (
  memory: Memory["Service"],
  account_id: Id.AccountId,
  raised: ReadonlyArray<Resource.Raised>,
  millis: number,
): void =>
  keep(
    memory,
    account_id,
    raised.map((one) => rowOf(memory, account_id, one, millis)),
    millis,
  )

/** Keeps events, with their deliveries. Part of a step. */
export const keep = (
  memory: Memory["Service"],
  account_id: Id.AccountId,
  rows: ReadonlyArray<EventRow>,
  millis: number,
): void => {
  const { handoff } = memory
  const now = Value.timestamp(millis)
  const due_at = Value.timestamp(millis + handoff.delay_ms)
  for (const row of rows) memory.events(account_id).set(row.id, row)
  const endpoints = [...memory.records(WebhookEndpoint.resource, account_id).values()]
  const births = rows.flatMap(({ id: event_id, event }) =>
    endpoints
      .filter((endpoint) => WebhookEndpoint.wants(endpoint, event))
      .map(({ id: endpoint_id }) =>
        born(
          Ids.ofDelivery(event_id, memory.nextId(millis)),
          { account_id, event_id, endpoint_id, event },
          now,
          due_at,
        ),
      ),
  )
  if (births.length === 0) return
  const under = handoff.lease(millis)
  for (const delivery of births) memory.keep(delivery)
  if (under === null) return memory.afterwards(handoff.wake)
  const gated = new Set(endpoints.filter(isGated).map(({ id }) => id))
  const held = births.filter(({ endpoint_id }) => !gated.has(endpoint_id))
  for (const one of births.filter(({ endpoint_id }) => gated.has(endpoint_id))) memory.keep({ ...one, due_at: now })
  const jobs = held.flatMap((delivery) => lease(memory, delivery, under, now) ?? [])
  memory.afterwards(() => handoff.offer(jobs))
  if (held.length < births.length) memory.afterwards(handoff.wake)
}

/** Gives an endpoint its deliveries of events that were kept before. Part of a step. */
export const deliver = (
  memory: Memory["Service"],
  { account_id, endpoint_id }: Pick<Delivery.Delivery, "account_id" | "endpoint_id">,
  events: ReadonlyArray<EventRow>,
  millis: number,
): void => {
  const now = Value.timestamp(millis)
  for (const { id: event_id, event } of events) {
    const id = Ids.ofDelivery(event_id, memory.nextId(millis))
    memory.keep(born(id, { account_id, event_id, endpoint_id, event }, now, now))
  }
  if (events.length > 0) memory.afterwards(memory.handoff.wake)
}

type Whose = Pick<Delivery.Delivery, "account_id" | "event_id" | "endpoint_id"> & { readonly event: string }

/** A delivery, for whoever claims it once it is due. */
const born = (id: string, whose: Whose, now: string, due_at: string): DeliveryRow => ({
  id: Id.DeliveryId.id.make(id),
  ...whose,
  // A change raises events of the catalogue only.
  event: whose.event as Delivery.Delivery["event"],
  status: "pending",
  attempt_count: 0,
  due_at,
  lease_until: null,
  lease: null,
  manual: false,
  asked: false,
  attempts: [],
  marks: [],
  created_at: now,
  updated_at: now,
})
