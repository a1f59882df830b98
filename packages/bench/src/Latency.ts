/** What a run's latencies come to: nearest-rank percentiles in milliseconds, each a latency that was really measured. */

/** The least value that so large a share of all values (0–1) does not exceed; NaN of nothing. */
export const percentile = (values: Iterable<number>, share: number): number => {
  const sorted = Float64Array.from(values).toSorted()
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** Milliseconds. */
export interface Summary {
  readonly median: number
  readonly p99: number
  readonly max: number
}

export const summary = (values: ReadonlyArray<number>): Summary => ({
  median: percentile(values, 0.5),
  p99: percentile(values, 0.99),
  max: percentile(values, 1),
})
