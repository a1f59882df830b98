/** How often something may be tried, also when many try at the same moment. */
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Throttles } from "../Throttles.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { still } from "./Still.ts"

const MINUTE = 60_000

const newKey = () => Fixture.unique("email")

/** Tries a key so often, one after the other, and answers when to come back each time. */
const tried = (times: number, key: string, most: number, window_ms = MINUTE) =>
  Effect.flatMap(Throttles, ({ take }) => Effect.replicateEffect(take([{ key, most }], window_ms), times))

const counted = (it: Tests): void => {
  it.effect("a key may be tried so many times, and no more until its window is over", () =>
    Effect.gen(function* () {
      const key = newKey()
      const began = yield* Clock.currentTimeMillis
      const [first, second] = yield* tried(2, key, 2)
      const begun = yield* Clock.currentTimeMillis
      yield* Fixture.later
      const [third, fourth] = yield* tried(2, key, 2, 2 * MINUTE)
      assert.deepStrictEqual([first, second], [null, null])
      // A window is as long as it was when it began, with the first try.
      assert.isAtLeast(third!, began + MINUTE)
      assert.isAtMost(third!, begun + MINUTE)
      assert.strictEqual(fourth, third)
    }),
  )

  it.effect("a key may be tried anew when its window is over, for as long as a window lasts", () =>
    still(
      Effect.gen(function* () {
        const key = newKey()
        const [, over] = yield* tried(2, key, 1, 20)
        assert.isNotNull(over)
        yield* Effect.sleep("30 millis")
        const began = yield* Clock.currentTimeMillis
        const [first, second] = yield* tried(2, key, 1)
        assert.isNull(first)
        assert.isAtLeast(second!, began + MINUTE)
      }),
    ),
  )

  it.effect("a key may never be tried that may be tried no times", () =>
    Effect.gen(function* () {
      assert.isNotNull((yield* tried(1, newKey(), 0))[0])
    }),
  )

  it.effect("keys are counted apart from each other", () =>
    Effect.gen(function* () {
      const key = newKey()
      yield* tried(3, key, 1)
      assert.deepStrictEqual(yield* tried(1, newKey(), 1), [null])
      assert.deepStrictEqual(yield* tried(1, `${key} `, 1), [null])
    }),
  )

  it.effect("each of several keys is counted, also when another of them was tried too often", () =>
    Effect.gen(function* () {
      const { take } = yield* Throttles
      const [often, seldom] = [newKey(), newKey()]
      const limits = [
        { key: often, most: 1 },
        { key: seldom, most: 3 },
      ]
      const answers = yield* Effect.replicateEffect(take(limits, MINUTE), 3)
      assert.deepStrictEqual(
        answers.map((answer) => answer === null),
        [true, false, false],
      )
      assert.isNotNull((yield* tried(1, seldom, 3))[0])
    }),
  )

  it.effect("of several keys that were tried too often the latest says when to come back", () =>
    Effect.gen(function* () {
      const { take } = yield* Throttles
      const [short, long] = [newKey(), newKey()]
      const [, soon] = yield* tried(2, short, 1, MINUTE)
      const [, late] = yield* tried(2, long, 1, 2 * MINUTE)
      assert.isAbove(late!, soon!)
      for (const keys of [
        [short, long],
        [long, short],
      ]) {
        const limits = keys.map((key) => ({ key, most: 1 }))
        assert.strictEqual(yield* take(limits, MINUTE), late)
      }
      assert.strictEqual(yield* take([{ key: short, most: 1 }], MINUTE), soon)
    }),
  )

  it.effect("a key that is named twice is counted twice, and none is no mistake", () =>
    Effect.gen(function* () {
      const { take } = yield* Throttles
      const key = newKey()
      const limit = { key, most: 2 }
      assert.isNull(yield* take([limit, limit], MINUTE))
      assert.isNotNull(yield* take([limit], MINUTE))
      assert.isNull(yield* take([], MINUTE))
    }),
  )
}

const atOnce = (it: Tests): void => {
  it.effect("tries at the same moment are all counted", () =>
    Effect.gen(function* () {
      const { take } = yield* Throttles
      const limit = { key: newKey(), most: 20 }
      const answers = yield* Fixture.atOnce(50, () => take([limit], MINUTE))
      assert.strictEqual(answers.filter((answer) => answer === null).length, 20)
      const [last, over] = yield* tried(2, limit.key, 51)
      assert.isNull(last)
      assert.isNotNull(over)
    }),
  )

  it.effect("tries at the moment when a window is over are all counted in the next", () =>
    Effect.gen(function* () {
      const { take, prune } = yield* Throttles
      const key = newKey()
      yield* tried(5, key, 1, 1)
      yield* Fixture.later
      const answers = yield* Fixture.atOnce(24, (nth) =>
        nth % 6 === 5 ? Effect.as(prune, undefined) : take([{ key, most: 7 }], MINUTE),
      )
      assert.strictEqual(answers.filter((answer) => answer === null).length, 7)
    }),
  )

  it.effect("several keys are counted at the same moment in whatever order they are named", () =>
    Effect.gen(function* () {
      const { take } = yield* Throttles
      const limits = [newKey(), newKey(), newKey()].map((key) => ({ key, most: 40 }))
      yield* Fixture.atOnce(40, (nth) => take(nth % 2 === 0 ? limits : limits.toReversed(), MINUTE))
      for (const { key } of limits) {
        const [last, over] = yield* tried(2, key, 41)
        assert.isNull(last)
        assert.isNotNull(over)
      }
    }),
  )
}

const forgotten = (it: Tests): void => {
  it.effect("windows that are over are removed and counted, others stay", () =>
    Effect.gen(function* () {
      const { prune } = yield* Throttles
      const open = newKey()
      yield* tried(1, open, 1)
      yield* prune
      for (const key of [newKey(), newKey(), newKey()]) yield* tried(1, key, 1, 1)
      yield* Fixture.later
      assert.strictEqual(yield* prune, 3)
      assert.strictEqual(yield* prune, 0)
      assert.isNotNull((yield* tried(1, open, 1))[0])
    }),
  )
}

export const tests = (it: Tests): void => {
  counted(it)
  atOnce(it)
  forgotten(it)
}

export const suite: Suite = suiteOf("Throttles", tests)
