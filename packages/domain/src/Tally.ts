/** How many attempts there were, how they went and how long they took: statistics, which decide nothing. Pure. */

/**
 * Attempts by what they made of their deliveries: one `succeeded`; `retried` ones failed, and another follows; `failed` ones
 * failed, and none does.
 */
export interface Outcomes {
  readonly succeeded: number
  readonly retried: number
  readonly failed: number
}

/** Attempts with how long they took: as many in each of the buckets that `BOUNDS` ends, and in one more of all that took longer. */
export interface Tally extends Outcomes {
  readonly durations: ReadonlyArray<number>
}

/** The longest durations of the buckets, in milliseconds. Tallies that are kept have these: another list is another table. */
export const BOUNDS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000] as const

export const BUCKETS = BOUNDS.length + 1

export const noOutcomes: Outcomes = { succeeded: 0, retried: 0, failed: 0 }

export const none: Tally = { ...noOutcomes, durations: Array.from({ length: BUCKETS }, () => 0) }

/** In which bucket a duration is counted. */
export const bucketOf = (duration_ms: number): number => {
  let bucket = 0
  while (bucket < BOUNDS.length && duration_ms > BOUNDS[bucket]!) bucket += 1
  return bucket
}

/** All of both. */
export const addOutcomes = (left: Outcomes, right: Outcomes): Outcomes => ({
  succeeded: left.succeeded + right.succeeded,
  retried: left.retried + right.retried,
  failed: left.failed + right.failed,
})

/** All attempts of both. */
export const add = (left: Tally, right: Tally): Tally => ({
  ...addOutcomes(left, right),
  durations: left.durations.map((count, bucket) => count + right.durations[bucket]!),
})

export const attempts = ({ succeeded, retried, failed }: Outcomes): number => succeeded + retried + failed

/** How many of the attempts succeeded, from 0 to 1; null where there were none. */
export const successRate = (outcomes: Outcomes): number | null => {
  const all = attempts(outcomes)
  return all === 0 ? null : outcomes.succeeded / all
}

/**
 * The duration that a share of all attempts, from 0 to 1, did not exceed, in milliseconds; null where there were none. It is
 * read off the buckets, as if the attempts of each were spread evenly over it, and so right to within one. Of what took
 * longer than the last bound no more is known than that.
 */
export const quantile = (durations: ReadonlyArray<number>, share: number): number | null => {
  const total = durations.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.min(total, Math.max(1, Math.ceil(share * total)))
  let before = 0
  let bucket = 0
  while (before + durations[bucket]! < rank) before += durations[bucket++]!
  const from = BOUNDS[bucket - 1] ?? 0
  const to = BOUNDS[bucket] ?? from
  return from + ((to - from) * (rank - before)) / durations[bucket]!
}
