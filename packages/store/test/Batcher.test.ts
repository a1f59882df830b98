import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Batcher from "../src/postgres/Batcher.ts"
import { Unavailable } from "../src/Storage.ts"

const PATIENCE_MS = 20

/** A batcher whose statements end when the gate opens, with what it wrote. An item weighs its length. */
const begin = (queue: Batcher.Size, lanes = 1) =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const batches: Array<ReadonlyArray<string>> = []
    const write = Batcher.make<string, never>({
      fork: Effect.runForkWith(yield* Effect.context()),
      lanes,
      patience_ms: PATIENCE_MS,
      batch: { items: 3, weight: 10 },
      queue,
      weigh: ({ length }) => length,
      write: (items) => {
        batches.push(items)
        return Effect.as(
          Deferred.await(gate),
          items.map(() => Exit.void),
        )
      },
    })
    const add = (item: string) => Effect.forkChild(write(item), { startImmediately: true })
    return { batches, write, add, open: Deferred.succeed(gate, undefined) }
  })

const roomy: Batcher.Size = { items: 100, weight: 1_000 }

const isUnavailable = (exit: Exit.Exit<void>) => Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof Unavailable

describe("Batcher", () => {
  it.effect("what waits goes out together, in its order, as much as a batch takes", () =>
    Effect.gen(function* () {
      const { batches, add, open } = yield* begin(roomy)
      const fibers = yield* Effect.forEach(["a", "b", "c", "d", "eeeeee", "ffffff"], add)
      yield* open
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(batches, [["a"], ["b", "c", "d"], ["eeeeee"], ["ffffff"]])
    }),
  )

  it.effect("beside a statement another begins only when it is full", () =>
    Effect.gen(function* () {
      const { batches, add, open } = yield* begin(roomy, 2)
      const fibers = yield* Effect.forEach(["a", "b", "c"], add)
      assert.deepStrictEqual(batches, [["a"]])
      fibers.push(yield* add("d"))
      assert.deepStrictEqual(batches, [["a"], ["b", "c", "d"]])
      yield* open
      yield* Effect.forEach(fibers, Fiber.join)
      const heavy = yield* begin(roomy, 2)
      yield* Effect.forEach(["a", "b".repeat(10)], heavy.add)
      assert.deepStrictEqual(heavy.batches, [["a"], ["b".repeat(10)]])
    }),
  )

  it.effect("nobody waits long for a statement that takes long", () =>
    Effect.gen(function* () {
      const { batches, add } = yield* begin(roomy, 2)
      yield* Effect.forEach(["a", "b", "c"], add)
      yield* TestClock.adjust(PATIENCE_MS - 1)
      assert.deepStrictEqual(batches, [["a"]])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(batches, [["a"], ["b", "c"]])
    }),
  )

  it.effect("an item heavier than a batch goes alone", () =>
    Effect.gen(function* () {
      const { batches, add, open } = yield* begin(roomy)
      const fibers = yield* Effect.forEach(["a", "b".repeat(20), "c"], add)
      yield* open
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(batches, [["a"], ["b".repeat(20)], ["c"]])
    }),
  )

  it.effect("more than may wait is refused, and room that is free again is given", () =>
    Effect.gen(function* () {
      const { batches, write, add, open } = yield* begin({ items: 2, weight: 1_000 })
      const fibers = yield* Effect.forEach(["under way", "first", "second"], add)
      assert.isTrue(isUnavailable(yield* Effect.exit(write("third"))))
      yield* open
      yield* Effect.forEach(fibers, Fiber.join)
      yield* write("later")
      assert.deepStrictEqual(batches.flat(), ["under way", "first", "second", "later"])
    }),
  )

  it.effect("heavier than may wait is refused, unless nothing else waits", () =>
    Effect.gen(function* () {
      const { batches, write, add, open } = yield* begin({ items: 100, weight: 10 })
      const fibers = yield* Effect.forEach(["under way", "x".repeat(50)], add)
      assert.isTrue(isUnavailable(yield* Effect.exit(write("y"))))
      yield* open
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(batches.flat(), ["under way", "x".repeat(50)])
    }),
  )

  it.effect("what is interrupted while it waits is not written, and leaves its room to others", () =>
    Effect.gen(function* () {
      const { batches, add, open } = yield* begin({ items: 1, weight: 1_000 })
      const first = yield* add("under way")
      yield* Fiber.interrupt(yield* add("given up"))
      const second = yield* add("in its place")
      yield* open
      yield* Effect.forEach([first, second], Fiber.join)
      assert.deepStrictEqual(batches.flat(), ["under way", "in its place"])
    }),
  )
})
