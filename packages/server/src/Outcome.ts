/** What an attempt makes of its delivery. Pure. */
import { type Delivery, Value } from "@tc/domain"
import type { Job, Outcome, Settlement } from "@tc/store"
import { Retry } from "@tc/webhooks"
import type { Answer } from "./Sender.ts"

/** How an attempt ended, in one word: `succeeded`, `rejected` by any other status than 2xx, or the error. */
export type Ending = "succeeded" | "rejected" | Delivery.AttemptError

const outcomeOf = ({ status_code, error, retry_after }: Answer): Retry.Outcome =>
  status_code === null ? { error: error ?? "invalid_response" } : { status: status_code, retry_after }

export const ending = (answer: Answer): Ending =>
  answer.error ?? (Retry.succeeded(outcomeOf(answer)) ? "succeeded" : "rejected")

/** Errors after which a receiver has shown no sign of life, and may have held a slot for as long as the timeout. */
const silences: ReadonlySet<Answer["error"]> = new Set([
  "timeout",
  "connection_refused",
  "connection_reset",
  "dns_error",
  "tls_error",
])

/** Whether the receiver gave a sign of life. */
export const isAnswered = ({ error }: Answer): boolean => !silences.has(error)

/**
 * What becomes of a delivery whose attempt ended at `now`, in milliseconds since 1970. One that a person asked for has no
 * schedule: if it fails, that was it, and the endpoint is not blamed.
 */
export const decide = (
  schedule: Retry.Schedule,
  job: Pick<Job, "attempt" | "manual">,
  answer: Answer,
  now: number,
): Outcome => {
  const next = Retry.next({ attempt: job.attempt, outcome: outcomeOf(answer), now, schedule })
  if (next.state === "succeeded") return "succeeded"
  if (job.manual) return "failed"
  if (next.state === "gone") return "gone"
  return next.state === "pending" ? { retry_at: Value.timestamp(now + next.delay) } : "exhausted"
}

/** The result of an attempt, as the storage takes it. */
export const settlement = (job: Job, answer: Answer, outcome: Outcome): Settlement => {
  const { started_at, duration_ms, status_code, error, response_excerpt } = answer
  return {
    job,
    outcome,
    attempt: { number: job.attempt, started_at, duration_ms, status_code, error, response_excerpt },
  }
}
