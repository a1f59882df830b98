/** Which deliveries may go of endpoints that take them in order, or at a rate. */
import type { WebhookEndpoint } from "@tc/domain"
import { burstOf, PAUSE_MS } from "../Gate.ts"
import { dueAt } from "./Leasing.ts"
import type { DeliveryRow, Memory } from "./Memory.ts"

type Endpoint = WebhookEndpoint.WebhookEndpoint

const nameOf = ({ account_id, id }: Endpoint): string => `${account_id}/${id}`

const itsOpen = (memory: Memory["Service"], { account_id, id }: Endpoint) =>
  [...memory.open.values()].filter((one) => one.account_id === account_id && one.endpoint_id === id)

/** How many may go now. */
const places = (memory: Memory["Service"], endpoint: Endpoint, millis: number): number => {
  const { max_per_second } = endpoint
  if (max_per_second === null) return Infinity
  const owed = Math.max(0, (memory.gates.get(nameOf(endpoint))?.free_at ?? 0) - millis) / 1_000
  return Math.floor(burstOf(max_per_second) - owed * max_per_second)
}

/** The one in order that goes once it is due: one that went before and has not ended, or else the first that waits. */
const head = (memory: Memory["Service"], endpoint: Endpoint): DeliveryRow | undefined => {
  const open = itsOpen(memory, endpoint).toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const current = memory.gates.get(nameOf(endpoint))?.current
  return open.find(({ status }) => status === "delivering") ?? open.find(({ id }) => id === current) ?? open[0]
}

/** Those that may go now. */
export const open = (
  memory: Memory["Service"],
  endpoint: Endpoint,
  due: ReadonlyArray<DeliveryRow>,
  millis: number,
): ReadonlyArray<DeliveryRow> => {
  const first = head(memory, endpoint)
  const may = endpoint.ordered ? due.filter(({ id }) => id === first?.id) : due.toSorted(byDue)
  return may.slice(0, Math.max(0, places(memory, endpoint, millis)))
}

const byDue = (left: DeliveryRow, right: DeliveryRow): number => (dueAt(left) < dueAt(right) ? -1 : 1)

/** From now on none of them has gone last: those that are there stand in another order, or in none. */
export const reset = (memory: Memory["Service"], endpoint: Endpoint): void => {
  const gate = memory.gates.get(nameOf(endpoint))
  if (gate !== undefined) memory.gates.set(nameOf(endpoint), { ...gate, current: null })
}

/** Notes that a delivery has gone. */
export const pass = (memory: Memory["Service"], endpoint: Endpoint, { id }: DeliveryRow, millis: number): void => {
  const name = nameOf(endpoint)
  const { max_per_second } = endpoint
  const free_at = memory.gates.get(name)?.free_at ?? 0
  const paid = max_per_second === null ? free_at : Math.max(free_at, millis) + 1_000 / max_per_second
  memory.gates.set(name, { current: id, free_at: paid })
}

/** When the next may go, in milliseconds since 1970: later than now, or it might have gone; null where none waits. */
export const opensAt = (memory: Memory["Service"], endpoint: Endpoint, millis: number): number | null => {
  const next = endpoint.ordered ? head(memory, endpoint) : itsOpen(memory, endpoint).toSorted(byDue)[0]
  if (next === undefined) return null
  const due = Date.parse(dueAt(next))
  const { max_per_second } = endpoint
  if (max_per_second === null) return due
  const free_at = memory.gates.get(nameOf(endpoint))?.free_at ?? 0
  const opens = Math.max(due, free_at - ((burstOf(max_per_second) - 1) * 1_000) / max_per_second)
  return opens > millis ? Math.max(opens, millis + PAUSE_MS) : opens
}
