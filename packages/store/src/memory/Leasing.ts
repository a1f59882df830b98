/** Puts a delivery under a lease, and cancels those that nobody is to get any more. */
import { type Delivery, Value, WebhookEndpoint } from "@tc/domain"
import type { Job } from "../Deliveries.ts"
import type { Lease } from "../Handoff.ts"
import type { DeliveryRow, Memory } from "./Memory.ts"

/** When a worker may take a delivery: when it is due, or when the lease on it runs out. */
export const dueAt = ({ due_at, lease_until }: DeliveryRow): string => due_at ?? lease_until ?? ""

/** The endpoint of a delivery, while it is active. */
export const activeEndpoint = (
  memory: Memory["Service"],
  { account_id, endpoint_id }: Pick<Delivery.Delivery, "account_id" | "endpoint_id">,
): WebhookEndpoint.WebhookEndpoint | undefined => {
  const endpoint = memory.records(WebhookEndpoint.resource, account_id).get(endpoint_id)
  return endpoint?.status === "active" ? endpoint : undefined
}

/** Gives a delivery to a worker; not one whose endpoint is not active any more. */
export const lease = (
  memory: Memory["Service"],
  delivery: DeliveryRow,
  { lease, lease_until }: Lease,
  now: string,
): Job | undefined => {
  const { account_id, id, endpoint_id, event, event_id, attempt_count, manual } = delivery
  const endpoint = activeEndpoint(memory, delivery)
  const kept = memory.events(account_id).get(event_id)
  if (endpoint === undefined || kept === undefined) return undefined
  const until = { lease, lease_until: Value.timestamp(lease_until) }
  memory.keep({ ...delivery, ...until, status: "delivering", asked: false, due_at: null, updated_at: now })
  const { url, secret, max_per_second } = endpoint
  return {
    account_id,
    id,
    endpoint_id,
    event,
    tail: kept.tail,
    url,
    secret,
    attempt: attempt_count + 1,
    manual,
    paced: max_per_second !== null,
    lease,
    lease_until,
  }
}

/** A delivery whose endpoint was disabled or deleted before it ended. */
export const canceled = (delivery: DeliveryRow, now: string): DeliveryRow => ({
  ...delivery,
  status: "canceled",
  due_at: null,
  lease: null,
  lease_until: null,
  updated_at: now,
})

/** Cancels the pending deliveries of an endpoint. Those under lease are left to their worker. */
export const cancel = (memory: Memory["Service"], endpoint: WebhookEndpoint.WebhookEndpoint, now: string): void => {
  for (const delivery of memory.open.values()) {
    const its = delivery.account_id === endpoint.account_id && delivery.endpoint_id === endpoint.id
    if (its && delivery.status === "pending") memory.keep(canceled(delivery, now))
  }
}
