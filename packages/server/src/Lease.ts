/** How long a delivery is held, and until when an attempt of it may begin. */
import type { Endpoint, Job, Receiver } from "@tc/store"
import * as Lane from "./Lane.ts"

/** Milliseconds that a lease lasts beyond one attempt: for waiting, and for writing the result. */
const SLACK_MS = 30_000
/** Milliseconds of them that are left for writing. */
const MARGIN_MS = 5_000

/** Leases end together, in whole steps of so many milliseconds: each end is looked for. */
const ROUND_MS = 1_000

/** A delivery that this process holds. */
export interface Held extends Job {
  /** The lane it waits in here. */
  readonly lane: string
  /** An attempt begun later could outlast the lease. Milliseconds since 1970, by the clock of this process. */
  readonly start_before: number
  /** How many recalls there had been here when it was leased. */
  readonly recalls: number
}

/** Milliseconds for which deliveries are leased at least. */
export const least = (timeout_ms: number): number => timeout_ms + SLACK_MS

/** Milliseconds for which deliveries are leased at a time. */
export const duration = (timeout_ms: number, at: number): number =>
  Math.ceil((at + least(timeout_ms)) / ROUND_MS) * ROUND_MS - at

/**
 * A delivery as held since `leased_at`, by the clock of this process: that of the storage may tell another time. And since so
 * many recalls.
 */
export const holding =
  (leased_at: number, recalls: number) =>
  (job: Job): Held => ({
    // One by one: a copy that grows costs several times as much, and this is done for each delivery.
    account_id: job.account_id,
    id: job.id,
    endpoint_id: job.endpoint_id,
    event: job.event,
    tail: job.tail,
    url: job.url,
    secret: job.secret,
    attempt: job.attempt,
    manual: job.manual,
    paced: job.paced,
    lease: job.lease,
    lease_until: job.lease_until,
    lane: Lane.nameOf(job),
    start_before: leased_at + SLACK_MS - MARGIN_MS,
    recalls,
  })

/** The same, begun before a time at the latest. */
export const within = (held: Held, start_before: number): Held =>
  start_before < held.start_before ? { ...held, start_before } : held

export interface Options {
  readonly timeout_ms: number
  /** The present by the clock of this process, in milliseconds since 1970. */
  readonly now: () => number
  /** Whether deliveries may be born under a lease of this process. */
  readonly isOpen: () => boolean
  /** How many recalls there have been. */
  readonly recalls: () => number
  readonly take: (jobs: ReadonlyArray<Held>) => void
  readonly wake: () => void
  readonly recall: (endpoint: Endpoint) => void
}

/**
 * Where the storage hands over. One name does for all leases given here, for a delivery is born only once; behind it stands
 * what was known of recalls, for one may come while the delivery is written.
 */
export const receiver = ({ timeout_ms, now, isOpen, recalls, take, wake, recall }: Options): Receiver => {
  const name = `${crypto.randomUUID()}/`
  const lease_ms = least(timeout_ms)
  /** How far the clock of the storage is behind. */
  let behind_ms = 0
  return {
    lease: (at) => {
      if (!isOpen()) return null
      behind_ms = now() - at
      return { lease: name + recalls(), lease_until: at + duration(timeout_ms, at) }
    },
    offer: (jobs) =>
      take(
        jobs.map((job) => holding(job.lease_until - lease_ms + behind_ms, Number(job.lease.slice(name.length)))(job)),
      ),
    wake,
    recall,
  }
}
