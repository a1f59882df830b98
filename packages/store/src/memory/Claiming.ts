/** Which due deliveries a worker gets: first attempts before retries, oldest first, spread over endpoints. */
import { type Id, Value } from "@tc/domain"
import type { Claim, ClaimRequest, Endpoint } from "../Deliveries.ts"
import { activeEndpoint, canceled, dueAt, lease } from "./Leasing.ts"
import { isGated } from "../Gate.ts"
import * as Gates from "./Gates.ts"
import type { DeliveryRow, Memory } from "./Memory.ts"
import { compare } from "./Query.ts"

/** Of this many places, one is kept for retries while first attempts wait. */
const RETRY_SHARE = 4

/** Part of a step. */
export const claim = (memory: Memory["Service"], request: ClaimRequest, millis: number): Claim => {
  const now = Value.timestamp(millis)
  const under = { lease: memory.nextId(millis), lease_until: millis + request.lease_ms }
  const saturated = new Set(request.saturated.map(keyOf))
  const due = [...memory.open.values()].filter((delivery) => dueAt(delivery) <= now && !saturated.has(keyOf(delivery)))
  for (const delivery of due.filter((delivery) => activeEndpoint(memory, delivery) === undefined)) {
    memory.keep(canceled(delivery, now))
  }
  const live = due.filter(({ id }) => memory.open.has(id))
  let left = request.max_bytes
  const jobs = choose(ready(memory, live, millis), request).flatMap((delivery, nth) => {
    left -= memory.events(delivery.account_id).get(delivery.event_id)?.tail.length ?? 0
    const job = left < 0 && nth > 0 ? undefined : lease(memory, delivery, under, now)
    if (job === undefined) return []
    const endpoint = gateOf(memory, delivery)
    if (endpoint !== undefined) Gates.pass(memory, endpoint, delivery, millis)
    return [job]
  })
  const got = new Set(jobs.map(({ id }) => id))
  const expired = live.filter(({ id, status }) => got.has(id) && status === "delivering").length
  return { jobs, next_due_at: nextDueAt(memory, got, saturated, millis), expired, more: false }
}

/** The endpoint of a delivery that waits its turn. */
export const gateOf = (memory: Memory["Service"], delivery: DeliveryRow) => {
  const endpoint = activeEndpoint(memory, delivery)
  return endpoint !== undefined && isGated(endpoint) ? endpoint : undefined
}

/** Of those that are due, those that need not wait their turn. */
const ready = (
  memory: Memory["Service"],
  due: ReadonlyArray<DeliveryRow>,
  millis: number,
): ReadonlyArray<DeliveryRow> =>
  [...Map.groupBy(due, keyOf).values()].flatMap((its) => {
    const endpoint = gateOf(memory, its[0]!)
    return endpoint === undefined ? its : Gates.open(memory, endpoint, its, millis)
  })

const keyOf = ({ account_id, endpoint_id }: Endpoint): string => `${account_id}/${endpoint_id}`

const nextDueAt = (
  memory: Memory["Service"],
  claimed: ReadonlySet<Id.DeliveryId>,
  saturated: ReadonlySet<string>,
  millis: number,
): number | null => {
  const open = [...memory.open.values()]
  const free = open.filter((one) => !claimed.has(one.id) && gateOf(memory, one) === undefined)
  const gates = new Set(open.flatMap((one) => (saturated.has(keyOf(one)) ? [] : (gateOf(memory, one) ?? []))))
  const times = [
    ...free.map((one) => Date.parse(dueAt(one))),
    ...[...gates].map((gate) => Gates.opensAt(memory, gate, millis)),
  ]
  return times
    .filter((at) => at !== null)
    .filter((at) => at > millis)
    .reduce<number | null>((least, at) => (least !== null && least < at ? least : at), null)
}

const choose = (due: ReadonlyArray<DeliveryRow>, request: ClaimRequest): ReadonlyArray<DeliveryRow> => {
  const { limit } = request
  const ranked = lanes(due, request)
  const first = ranked.filter(({ attempt_count }) => attempt_count === 0)
  const retries = ranked.filter(({ attempt_count }) => attempt_count > 0)
  const kept = Math.min(Math.floor(limit / RETRY_SHARE), retries.length)
  const taken = first.slice(0, limit - kept)
  return [...taken, ...retries.slice(0, limit - taken.length)]
}

/** Of each endpoint no more than the cap, and of all endpoints the first before the second of any. */
const lanes = (
  due: ReadonlyArray<DeliveryRow>,
  { limit, per_endpoint, quick }: ClaimRequest,
): ReadonlyArray<DeliveryRow> => {
  const uncapped = new Set(quick.map(keyOf))
  return [...Map.groupBy(due.toSorted(order), keyOf)]
    .flatMap(([endpoint, lane]) =>
      lane.slice(0, uncapped.has(endpoint) ? limit : per_endpoint).map((delivery, place) => ({ delivery, place })),
    )
    .toSorted((left, right) => left.place - right.place || order(left.delivery, right.delivery))
    .map(({ delivery }) => delivery)
}

/** First attempts before retries, then the oldest. */
const order = (left: DeliveryRow, right: DeliveryRow): number =>
  Number(left.attempt_count > 0) - Number(right.attempt_count > 0) ||
  compare(dueAt(left), dueAt(right)) ||
  compare(left.id, right.id)
