/** How long a delivery is held, and until when an attempt of it may begin. Pure. */
import type { Job } from "@tc/store"

/** Milliseconds that a lease lasts beyond one attempt: for waiting, and for writing the result. */
const SLACK_MS = 30_000
/** Milliseconds of them that are left for writing. */
const MARGIN_MS = 5_000

/** A delivery that this process holds. */
export interface Held extends Job {
  /** An attempt begun later could outlast the lease. Milliseconds since 1970, by the clock of this process. */
  readonly start_before: number
}

/** Milliseconds for which deliveries are leased. */
export const duration = (timeout_ms: number): number => timeout_ms + SLACK_MS

/**
 * A delivery as held since `leased_at`, by the clock of this process. The lease's own end is by the storage's clock, which
 * may tell another time.
 */
export const hold = (job: Job, leased_at: number): Held => ({
  ...job,
  start_before: leased_at + SLACK_MS - MARGIN_MS,
})
