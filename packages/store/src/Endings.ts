/** What the outcome of an attempt means for its delivery and its endpoint. Pure; every storage follows it. */
import { type Resource, WebhookEndpoint } from "@tc/domain"
import type { Outcome, Streak } from "./Deliveries.ts"

/** Where a delivery goes. It is due again at `due_at`, unless its endpoint is not active any more: then it is canceled. */
export const ending = (
  outcome: Outcome,
): { readonly status: "pending" | "succeeded" | "failed"; readonly due_at: string | null } => {
  if (typeof outcome === "object") return { status: "pending", due_at: outcome.retry_at }
  return { status: outcome === "succeeded" ? "succeeded" : "failed", due_at: null }
}

/** The endpoint after `count` exhausted deliveries more, and the event that it was disabled, once. */
export const exhausted = (
  endpoint: WebhookEndpoint.WebhookEndpoint,
  count: number,
  streak: Streak,
  now: string,
): Resource.Change<WebhookEndpoint.WebhookEndpoint> => {
  let row = endpoint
  for (let nth = 0; nth < count; nth++) {
    const { consecutive_failures, disable } = streak(row.consecutive_failures)
    const counted = { ...row, consecutive_failures, updated_at: now }
    row = disable ? WebhookEndpoint.run("exhaust", counted, now) : counted
  }
  return { row, events: row.status === endpoint.status ? [] : [WebhookEndpoint.disabledEvent(row)] }
}

/** Whether deliveries made for an endpoint as it was are out of date: it is gone, or to be told otherwise, or no more. */
export const isOutdated = (
  before: WebhookEndpoint.WebhookEndpoint,
  after: WebhookEndpoint.WebhookEndpoint | null,
): boolean =>
  after === null || after.status !== before.status || after.url !== before.url || after.secret !== before.secret
