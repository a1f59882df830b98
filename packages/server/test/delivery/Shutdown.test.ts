import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"

describe("a dispatcher that is stopped", () => {
  it.effect("lets attempts under way end, writes them, and gives the rest back", () => {
    const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.ok), "10 seconds"))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      const stop = yield* World.start(layer, { per_endpoint: 2 })
      yield* World.happen(account_id, 5)
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* World.statuses(account_id), [
        "delivering",
        "delivering",
        "pending",
        "pending",
        "pending",
      ])
      yield* World.happen(account_id)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* World.statuses(account_id), [
        "succeeded",
        "succeeded",
        "pending",
        "pending",
        "pending",
        "pending",
      ])
      assert.strictEqual(seen.length, 2)
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("breaks off what does not end, and gives it back", () => {
    const { layer } = World.receivers(() => Effect.never)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      const stop = yield* World.start(layer, { timeout_ms: 1_000 })
      yield* World.happen(account_id)
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* World.statuses(account_id), ["pending"])
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("is over at once when nothing is under way", () => {
    const { layer } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      yield* Effect.flatten(World.start(layer))
    }).pipe(Effect.provide(World.storage))
  })
})
