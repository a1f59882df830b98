/** What the outcome of an attempt means for its delivery and its endpoint. Pure; every storage follows it. */
import { type Resource, WebhookEndpoint } from "@tc/domain"
import { isRegated } from "./Gate.ts"
import type { Outcome, Streak, Written } from "./Deliveries.ts"

/** Where a delivery goes. It is due again at `due_at`, unless its endpoint is not active any more: then it is canceled. */
export const ending = (
  outcome: Outcome,
): { readonly status: "pending" | "succeeded" | "failed"; readonly due_at: string | null } => {
  if (typeof outcome === "object") return { status: "pending", due_at: outcome.retry_at }
  return { status: outcome === "succeeded" ? "succeeded" : "failed", due_at: null }
}

/** A result that counts neither for nor against its endpoint, or clears its failures. */
export const uncounted: Written = { failures: 0, disabled: false }

/** An endpoint after some outcomes, and what each of them came to. */
interface Counted extends Resource.Change<WebhookEndpoint.WebhookEndpoint> {
  readonly written: ReadonlyArray<Written>
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
): Counted => {
  let row = endpoint
  const written = outcomes.map((outcome): Written => {
    // What was under way when it was disabled counts no more.
    if (row.status !== "active") return uncounted
    if (outcome === "exhausted" || outcome === "gone") {
      const { consecutive_failures, disable } = streak(row.consecutive_failures)
      const more = { ...row, consecutive_failures, updated_at: now }
      const disabled = disable || (outcome === "gone" && row.disable_on_gone)
      row = disabled ? WebhookEndpoint.run("exhaust", more, now) : more
      return { failures: consecutive_failures, disabled }
    }
    if (outcome === "succeeded" && row.consecutive_failures > 0) {
      row = { ...row, consecutive_failures: 0, updated_at: now }
    }
    return uncounted
  })
  const isSame = row.status === endpoint.status
  return { row, events: isSame ? [] : [WebhookEndpoint.disabledEvent(WebhookEndpoint.asOf(row, now))], written }
}

/** Whether deliveries that were made ready for an endpoint as it was `before` are out of date. Null: it was removed. */
export const isOutdated = (
  before: WebhookEndpoint.WebhookEndpoint,
  after: WebhookEndpoint.WebhookEndpoint | null,
): boolean =>
  after?.status !== "active" || isRegated(before, after) || after.url !== before.url || after.secret !== before.secret
