import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Tally } from "../src/index.ts"

const Duration = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 }))
const Durations = Schema.Array(Duration).check(Schema.isMinLength(1), Schema.isMaxLength(200))
const Share = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** Attempts that took so long. */
const counted = (durations: ReadonlyArray<number>) => {
  const buckets = durations.map(Tally.bucketOf)
  return Tally.none.durations.map((_, nth) => buckets.filter((bucket) => bucket === nth).length)
}

/** The duration that a share of them did not exceed, by all of them. */
const exact = (durations: ReadonlyArray<number>, share: number) =>
  durations.toSorted((left, right) => left - right)[Math.max(0, Math.ceil(share * durations.length) - 1)]!

describe("a quantile", () => {
  it("of no attempts is none", () => assert.isNull(Tally.quantile(Tally.none.durations, 0.5)))

  it("is spread evenly over its bucket", () => {
    const durations = counted([60, 70, 80, 90])
    assert.deepStrictEqual(
      [0.25, 0.5, 0.75, 1].map((share) => Tally.quantile(durations, share)),
      [62.5, 75, 87.5, 100],
    )
  })

  it("beyond the last bound is that bound", () => assert.strictEqual(Tally.quantile(counted([45_000]), 0.5), 30_000))

  it.prop("lies in the bucket of the true one", [Durations, Share], ([durations, share]) => {
    const bucket = Tally.bucketOf(exact(durations, share))
    const found = Tally.quantile(counted(durations), share)!
    assert.isAtLeast(found, Tally.BOUNDS[bucket - 1] ?? 0)
    assert.isAtMost(found, Tally.BOUNDS[bucket] ?? 30_000)
  })

  it.prop("is no less of a larger share", [Durations, Share, Share], ([durations, one, other]) => {
    const of = (share: number) => Tally.quantile(counted(durations), share)!
    assert.isAtMost(of(Math.min(one, other)), of(Math.max(one, other)))
  })
})

describe("a duration", () => {
  it("is counted up to the bound of its bucket, that included", () =>
    assert.deepStrictEqual([0, 5, 5.1, 6, 30_000, 30_001].map(Tally.bucketOf), [0, 0, 1, 1, 12, 13]))
})

describe("tallies", () => {
  const one = { succeeded: 1, retried: 2, failed: 3, durations: counted([1, 2, 3, 4, 5, 6]) }

  it("add up, and none adds nothing", () => {
    assert.deepStrictEqual(Tally.add(one, Tally.none), one)
    const both = Tally.add(one, { ...one, durations: counted([7, 8, 9, 10, 11, 12]) })
    assert.deepStrictEqual(both, {
      succeeded: 2,
      retried: 4,
      failed: 6,
      durations: counted([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    })
  })

  it("have a share that succeeded, where there were attempts", () => {
    assert.strictEqual(Tally.successRate(one), 1 / 6)
    assert.isNull(Tally.successRate(Tally.none))
  })
})
