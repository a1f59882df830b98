/** The streak of failed deliveries that disables an endpoint. */

/** How a delivery ended: accepted by the receiver, or failed after its last attempt. A canceled one does not count. */
export type Outcome = "succeeded" | "failed"

export interface Streak {
  readonly consecutive_failures: number
  /** Whether the endpoint is to be disabled now. */
  readonly disable: boolean
}

/** Failures before the one that disables, when it is time to warn of it. */
const WARNING = 2

/** Whether a streak has just come so far that two failures more disable, or one where so few are allowed: time to warn. */
export const warns = (consecutive_failures: number, disableAfter = 5): boolean =>
  consecutive_failures < disableAfter && consecutive_failures === Math.max(1, disableAfter - WARNING)

/** The streak after one more delivery: a success ends it, a failure adds one, and `disableAfter` failures disable. */
export const next = (consecutive_failures: number, outcome: Outcome, disableAfter = 5): Streak => {
  const failures = outcome === "succeeded" ? 0 : consecutive_failures + 1
  return { consecutive_failures: failures, disable: failures >= disableAfter }
}
