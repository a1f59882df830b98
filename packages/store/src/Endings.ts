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

/**
 * The endpoint after these outcomes of its deliveries, in their order, and the event that it was disabled, once. The same
 * row object back means that nothing changed.
 */
export const counted = (
  endpoint: WebhookEndpoint.WebhookEndpoint,
  outcomes: ReadonlyArray<Outcome>,
  streak: Streak,
  now: string,
): Resource.Change<WebhookEndpoint.WebhookEndpoint> => {
  let row = endpoint
  for (const outcome of outcomes) {
    // What was under way when it was disabled counts no more.
    if (row.status !== "active") break
    if (outcome === "exhausted" || outcome === "gone") {
      const { consecutive_failures, disable } = streak(row.consecutive_failures)
      const more = { ...row, consecutive_failures, updated_at: now }
      const isOver = disable || (outcome === "gone" && row.disable_on_gone)
      row = isOver ? WebhookEndpoint.run("exhaust", more, now) : more
    } else if (outcome === "succeeded" && row.consecutive_failures > 0) {
      row = { ...row, consecutive_failures: 0, updated_at: now }
    }
  }
  return {
    row,
    events: row.status === endpoint.status ? [] : [WebhookEndpoint.disabledEvent(WebhookEndpoint.asOf(row, now))],
  }
}

/** Whether deliveries that were made ready for an endpoint as it was `before` are out of date. Null: it was removed. */
export const isOutdated = (
  before: WebhookEndpoint.WebhookEndpoint,
  after: WebhookEndpoint.WebhookEndpoint | null,
): boolean => after?.status !== "active" || after.url !== before.url || after.secret !== before.secret
