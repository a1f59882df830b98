import { assert, describe, it } from "@effect/vitest"
import { Deliveries } from "@tc/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"
const B = "https://b.example/"

/** The queue as a process sees it that stalls after its first claim. */
const claimsOnce = Layer.effect(
  Deliveries,
  Effect.map(Deliveries, (deliveries) => {
    let claims = 0
    return Deliveries.of({
      ...deliveries,
      claim: (request) => Effect.suspend(() => (++claims === 1 ? deliveries.claim(request) : Effect.never)),
    })
  }),
)

describe("two dispatchers of one storage", () => {
  it.effect("make each attempt once between them", () => {
    const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.ok), 5))
    const settings = { per_endpoint: 4, concurrency: 8 }
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.endpoint(account_id, B)
      yield* World.happen(account_id, 50)
      yield* World.start(layer, settings)
      yield* World.start(layer, settings)
      yield* World.happen(account_id, 50)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(seen.length, 200)
      assert.strictEqual(new Set(seen.map(({ delivery }) => delivery)).size, 200)
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("send a delivery twice when the lease of one runs out, and only the other's result counts", () => {
    const stuck = World.receivers(() => Effect.delay(Effect.succeed(World.down), "100 seconds"))
    const healthy = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id)
      yield* Effect.provide(World.start(stuck.layer), claimsOnce)
      yield* TestClock.adjust("30 seconds")
      yield* World.start(healthy.layer)
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual([stuck.seen.length, healthy.seen.length], [1, 0])
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual([stuck.seen.length, healthy.seen.length], [1, 1])
      const [delivery] = yield* World.deliveries(account_id)
      assert.strictEqual(delivery?.status, "succeeded")
      assert.deepStrictEqual(
        delivery?.attempts.map(({ number, status_code }) => [number, status_code]),
        [[1, 200]],
      )
    }).pipe(Effect.provide(World.storage))
  })
})
