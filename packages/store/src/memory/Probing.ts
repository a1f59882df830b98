/** The one delivery that an endpoint gets to show whether it answers. */
import { Value } from "@tc/domain"
import type { Job, Probe, ProbeRequest } from "../Deliveries.ts"
import { isGated } from "../Gate.ts"
import * as Gates from "./Gates.ts"
import { activeEndpoint, dueAt, lease } from "./Leasing.ts"
import type { DeliveryRow, Memory } from "./Memory.ts"
import { compare } from "./Query.ts"

/** Part of a step. */
export const probe = (memory: Memory["Service"], request: ProbeRequest, millis: number): ReadonlyArray<Job> => {
  const now = Value.timestamp(millis)
  const under = { lease: memory.nextId(millis), lease_until: millis + request.lease_ms }
  let left = request.max_bytes
  return request.endpoints
    .flatMap((endpoint) => find(memory, endpoint, now) ?? [])
    .flatMap((delivery, nth) => {
      left -= memory.events(delivery.account_id).get(delivery.event_id)?.tail.length ?? 0
      const endpoint = activeEndpoint(memory, delivery)
      if ((left < 0 && nth > 0) || endpoint === undefined) return []
      if (isGated(endpoint)) Gates.pass(memory, endpoint, delivery, millis)
      return lease(memory, delivery, under, now) ?? []
    })
}

const find = (memory: Memory["Service"], { account_id, endpoint_id, ready }: Probe, now: string) => {
  const due = [...memory.open.values()].filter(
    (delivery) =>
      delivery.account_id === account_id &&
      delivery.endpoint_id === endpoint_id &&
      dueAt(delivery) <= now &&
      activeEndpoint(memory, delivery) !== undefined,
  )
  const endpoint = due[0] && activeEndpoint(memory, due[0])
  const gate = endpoint !== undefined && isGated(endpoint) ? endpoint : undefined
  const open = (of: ReadonlyArray<DeliveryRow>) =>
    gate === undefined ? of : Gates.open(memory, gate, of, Date.parse(now))
  const oldest = due.toSorted((left, right) => compare(left.id, right.id))
  const asked = open(oldest.filter((delivery) => delivery.asked))[0]
  if (asked !== undefined || !ready) return asked
  const again = gate === undefined ? oldest.find(({ attempt_count }) => attempt_count > 0) : undefined
  return again ?? open(due.toSorted(byDue))[0]
}

const byDue = (left: DeliveryRow, right: DeliveryRow): number =>
  compare(dueAt(left), dueAt(right)) || compare(left.id, right.id)
