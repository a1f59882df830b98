import { assert, describe, it } from "@effect/vitest"
import * as Streak from "../src/Streak.ts"

describe("the streak of failed deliveries", () => {
  it.each([0, 1, 2, 3])("of %d grows by one and disables nothing yet", (before) => {
    assert.deepStrictEqual(Streak.next(before, "failed"), { consecutive_failures: before + 1, disable: false })
  })

  it.each([4, 5, 100])("of %d disables when one more fails", (before) => {
    assert.deepStrictEqual(Streak.next(before, "failed"), { consecutive_failures: before + 1, disable: true })
  })

  it.each([0, 4, 5, 100])("of %d ends with a success", (before) => {
    assert.deepStrictEqual(Streak.next(before, "succeeded"), { consecutive_failures: 0, disable: false })
  })

  it("disables after as many as it is told", () => {
    assert.deepStrictEqual(Streak.next(0, "failed", 1), { consecutive_failures: 1, disable: true })
    assert.deepStrictEqual(Streak.next(4, "failed", 6), { consecutive_failures: 5, disable: false })
  })

  it.each([
    [5, [3]],
    [4, [2]],
    [3, [1]],
    [2, [1]],
    [1, []],
    [100, [98]],
  ])("that disables at %d warns at %j, and nowhere else", (disableAfter, warnings) => {
    const failures = Array.from({ length: disableAfter + 2 }, (_, count) => count)
    assert.deepStrictEqual(
      failures.filter((count) => Streak.warns(count, disableAfter)),
      warnings,
    )
  })

  it("disables once in five failures, five successes between them or not", () => {
    const outcomes = ["failed", "failed", "failed", "failed", "succeeded", "failed"] as const
    const last = outcomes.reduce(
      (streak, outcome) => Streak.next(streak.consecutive_failures, outcome),
      Streak.next(0, "succeeded"),
    )
    assert.deepStrictEqual(last, { consecutive_failures: 1, disable: false })
  })
})
