/** Which endpoints a person should look at, and why. Pure. */
import { Schema } from "effect"
import * as Tally from "./Tally.ts"
import type { Status, WebhookEndpoint } from "./WebhookEndpoint.ts"

/** Of an endpoint that is in no other trouble, at least this share of attempts succeeds. */
export const SUCCESS_RATE_MIN = 0.9

/**
 * `auto_disabled`: its deliveries have failed until it was disabled. `failing`: those that ended last have failed.
 * `low_success_rate`: of its attempts fewer succeed than `SUCCESS_RATE_MIN`. The worst comes first.
 */
export const reasons = ["auto_disabled", "failing", "low_success_rate"] as const
export const Reason = Schema.Literals(reasons)
export type Reason = typeof Reason.Type

/** An endpoint, and its attempts of late. */
export interface Subject {
  readonly endpoint: Pick<WebhookEndpoint, "id" | "status" | "consecutive_failures">
  readonly outcomes: Tally.Outcomes
}

/** What an endpoint that a person has disabled does is no trouble to anybody. */
const byStatus = {
  active: ({ endpoint, outcomes }) => {
    if (endpoint.consecutive_failures > 0) return "failing"
    return (Tally.successRate(outcomes) ?? 1) < SUCCESS_RATE_MIN ? "low_success_rate" : null
  },
  disabled: () => null,
  "auto-disabled": () => "auto_disabled",
} as const satisfies Record<Status, (subject: Subject) => Reason | null>

/** Why somebody should look at an endpoint; null where all is well. */
export const reasonOf = (subject: Subject): Reason | null => byStatus[subject.endpoint.status](subject)

/** How two endpoints in trouble are to be listed, as `sort` takes it: the worse one first. */
export const byWorst = (left: Subject, right: Subject): number =>
  place(left) - place(right) ||
  right.endpoint.consecutive_failures - left.endpoint.consecutive_failures ||
  (Tally.successRate(left.outcomes) ?? 1) - (Tally.successRate(right.outcomes) ?? 1) ||
  (left.endpoint.id < right.endpoint.id ? -1 : 1)

const place = (subject: Subject): number => {
  const reason = reasonOf(subject)
  return reason === null ? reasons.length : reasons.indexOf(reason)
}
