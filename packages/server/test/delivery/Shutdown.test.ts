import { assert, describe, it } from "@effect/vitest"
import { Deliveries } from "@tc/store"
import { Effect, Fiber, Layer } from "effect"
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
  it.effect("waits no longer than one attempt may take and 5 seconds, whatever else does not answer", () => {
    const { layer } = World.receivers(() => Effect.never)
    let silent = false
    const heard = <A, E>(answer: Effect.Effect<A, E>) => Effect.suspend(() => (silent ? Effect.never : answer))
    const faulty = Layer.effect(
      Deliveries,
      Effect.map(Deliveries, (deliveries) =>
        Deliveries.of({
          ...deliveries,
          claim: (request) => heard(deliveries.claim(request)),
          settle: (...given) => heard(deliveries.settle(...given)),
          release: (jobs) => heard(deliveries.release(jobs)),
        }),
      ),
    )
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      const stop = yield* Effect.provide(World.start(layer, { timeout_ms: 20_000, per_endpoint: 2 }), faulty)
      yield* World.happen(account_id, 5)
      yield* TestClock.adjust("1 second")
      silent = true
      yield* TestClock.adjust("2 seconds")
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("25 seconds")
      assert.isDefined(stopping.pollUnsafe())
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("writes the results of attempts that end at the last moment", () => {
    const { layer } = World.receivers(() => Effect.delay(Effect.succeed(World.ok), "20 seconds"))
    const slow = Layer.effect(
      Deliveries,
      Effect.map(Deliveries, (deliveries) =>
        Deliveries.of({
          ...deliveries,
          settle: (...given) => Effect.delay(deliveries.settle(...given), "3 seconds"),
        }),
      ),
    )
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      const stop = yield* Effect.provide(World.start(layer, { timeout_ms: 20_000 }), slow)
      yield* World.happen(account_id)
      yield* TestClock.adjust(0)
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("25 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* World.statuses(account_id), ["succeeded"])
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("is over at once when nothing is under way", () => {
    const { layer } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      yield* Effect.flatten(World.start(layer))
    }).pipe(Effect.provide(World.storage))
  })
})
