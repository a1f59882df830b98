/** Records attempts and moves their deliveries on, each only while the worker still holds its lease. */
import { Value, WebhookEndpoint } from "@tc/domain"
import type { Job, Settlement, Streak, Written } from "../Deliveries.ts"
import { markOf } from "../EndpointSettings.ts"
import { counted, ending, uncounted } from "../Endings.ts"
import * as Canceling from "./Canceling.ts"
import { activeEndpoint, canceled } from "./Leasing.ts"
import type { DeliveryRow, Memory } from "./Memory.ts"
import * as Outbox from "./Outbox.ts"

/** The delivery of a job, while its worker still holds it. */
export const held = (
  memory: Memory["Service"],
  job: Pick<Job, "account_id" | "id" | "lease">,
): DeliveryRow | undefined => {
  const delivery = memory.deliveries(job.account_id).get(job.id)
  return delivery?.status === "delivering" && delivery.lease === job.lease ? delivery : undefined
}

/** Part of a step. Answers what the result came to; null where the lease was over and nothing was written. */
export const settle = (
  memory: Memory["Service"],
  { job, attempt, outcome }: Settlement,
  streak: Streak,
  millis: number,
): Written | null => {
  const now = Value.timestamp(millis)
  const delivery = held(memory, job)
  if (delivery === undefined) return null
  const { status, due_at } = ending(outcome)
  const attempts = [...delivery.attempts, { ...attempt }]
  const marks = [...delivery.marks, markOf(job)]
  const over = { attempts, marks, attempt_count: attempt.number, lease: null, lease_until: null, updated_at: now }
  const settled = { ...delivery, ...over, status, due_at }
  memory.keep(status === "pending" && activeEndpoint(memory, delivery) === undefined ? canceled(settled, now) : settled)
  const endpoints = memory.records(WebhookEndpoint.resource, job.account_id)
  const endpoint = endpoints.get(delivery.endpoint_id)
  if (endpoint === undefined) return uncounted
  if (endpoint.ordered) memory.afterwards(memory.handoff.wake)
  const { row, events, written } = counted(endpoint, [outcome], streak, now)
  endpoints.set(row.id, row)
  if (events.length > 0) {
    Canceling.follow(memory, endpoint, row, now)
    Outbox.commit(memory, row.account_id, events, millis)
  }
  return written[0] ?? uncounted
}
