/** Which due deliveries a worker gets: first attempts before retries, oldest first, spread over endpoints. */
import { type Id, Value } from "@tc/domain"
import type { Claim, ClaimRequest, Endpoint } from "../Deliveries.ts"
import { activeEndpoint, canceled, lease } from "./Leasing.ts"
import type { DeliveryRow, Memory } from "./Memory.ts"

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
  const jobs = choose(live, request).flatMap((delivery, nth) => {
    left -= memory.events(delivery.account_id).get(delivery.event_id)?.tail.length ?? 0
    return left < 0 && nth > 0 ? [] : (lease(memory, delivery, under, now) ?? [])
  })
  const got = new Set(jobs.map(({ id }) => id))
  const expired = live.filter(({ id, status }) => got.has(id) && status === "delivering").length
  return { jobs, next_due_at: nextDueAt(memory, got, now), expired, more: false }
}

const keyOf = ({ account_id, endpoint_id }: Endpoint): string => `${account_id}/${endpoint_id}`

/** When a worker may take a delivery: when it is due, or when the lease on it runs out. */
export const dueAt = ({ due_at, lease_until }: DeliveryRow): string => due_at ?? lease_until ?? ""

const nextDueAt = (memory: Memory["Service"], claimed: ReadonlySet<Id.DeliveryId>, now: string): number | null => {
  const times = [...memory.open.values()].filter(({ id }) => !claimed.has(id)).map(dueAt)
  const next = times
    .filter((at) => at > now)
    .reduce<string | null>((least, at) => (least !== null && least < at ? least : at), null)
  return next === null ? null : Date.parse(next)
}

const choose = (due: ReadonlyArray<DeliveryRow>, { limit, per_endpoint }: ClaimRequest): ReadonlyArray<DeliveryRow> => {
  const ranked = lanes(due, per_endpoint)
  const first = ranked.filter(({ attempt_count }) => attempt_count === 0)
  const retries = ranked.filter(({ attempt_count }) => attempt_count > 0)
  const kept = Math.min(Math.floor(limit / RETRY_SHARE), retries.length)
  const taken = first.slice(0, limit - kept)
  return [...taken, ...retries.slice(0, limit - taken.length)]
}

/** Of each endpoint no more than the cap, and of all endpoints the first before the second of any. */
const lanes = (due: ReadonlyArray<DeliveryRow>, per_endpoint: number): ReadonlyArray<DeliveryRow> => {
  const byEndpoint = Map.groupBy(due.toSorted(order), keyOf)
  return [...byEndpoint.values()]
    .flatMap((lane) => lane.slice(0, per_endpoint).map((delivery, place) => ({ delivery, place })))
    .toSorted((left, right) => left.place - right.place || order(left.delivery, right.delivery))
    .map(({ delivery }) => delivery)
}

/** First attempts before retries, then the oldest. */
const order = (left: DeliveryRow, right: DeliveryRow): number =>
  Number(left.attempt_count > 0) - Number(right.attempt_count > 0) ||
  compare(dueAt(left), dueAt(right)) ||
  compare(left.id, right.id)

export const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right))
