import { assert, describe, it } from "@effect/vitest"
import { Deliveries } from "@tc/store"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"
const B = "https://b.example/"
const HOUR = 3_600_000

/** Starts a dispatcher of its own; answers how to stop it. */
const start = (...given: Parameters<typeof World.dispatcher>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(Layer.fresh(World.dispatcher(...given)), scope)
    return Scope.close(scope, Exit.void)
  })

const statuses = (account_id: Effect.Success<typeof World.account>) =>
  Effect.map(World.deliveries(account_id), (all) => all.map(({ status }) => status))

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

/** Counts what is under way at the same time. */
const counting = (takes: number) => {
  let now = 0
  let most = 0
  const reply = Effect.sync(() => (most = Math.max(most, ++now))).pipe(
    Effect.andThen(Effect.sleep(takes)),
    Effect.andThen(Effect.sync(() => ((now -= 1), World.ok))),
  )
  return { reply, most: () => most }
}

describe("a delivery born beside a dispatcher", () => {
  it.effect("goes out at once, without waiting for a look at the queue", () => {
    const { seen, layer } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* TestClock.adjust(10)
      yield* World.happen(account_id)
      assert.deepStrictEqual(yield* statuses(account_id), ["delivering"])
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [10],
      )
      assert.deepStrictEqual(yield* statuses(account_id), ["succeeded"])
    }).pipe(Effect.provide(World.layer(layer, { poll_ms: HOUR })))
  })
  it.effect("is born pending where there is no dispatcher, and found by the next one", () => {
    const { seen, layer } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 3)
      assert.deepStrictEqual(yield* statuses(account_id), ["pending", "pending", "pending"])
      yield* start(layer)
      yield* TestClock.adjust(0)
      assert.strictEqual(seen.length, 3)
      assert.deepStrictEqual(yield* statuses(account_id), ["succeeded", "succeeded", "succeeded"])
    }).pipe(Effect.provide(World.storage))
  })
})

describe("a slow endpoint", () => {
  it.effect("delays no other, however much it has waiting", () => {
    const receivers = World.receivers(({ url }) =>
      url === A ? Effect.delay(Effect.succeed({ error: "timeout" }), "30 seconds") : World.ok,
    )
    return Effect.gen(function* () {
      yield* start(receivers.layer, { concurrency: 64, per_endpoint: 32 })
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 500)
      yield* TestClock.adjust("1 second")
      yield* World.endpoint(account_id, B)
      yield* World.happen(account_id, 50)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(new Set(receivers.at(B).map(({ at }) => at)), new Set([1_000]))
      assert.strictEqual(receivers.at(B).length, 50)
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("gets no more attempts at a time than its cap, and in the end all of them", () => {
    const { reply, most } = counting(10)
    const { seen, layer } = World.receivers(() => reply)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 100)
      yield* start(layer, { per_endpoint: 4, concurrency: 64, poll_ms: HOUR })
      yield* TestClock.adjust(250)
      assert.deepStrictEqual([seen.length, most()], [100, 4])
      assert.strictEqual(new Set(seen.map(({ delivery }) => delivery)).size, 100)
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("gives back what has waited so long that its lease would run out", () => {
    const receivers = World.receivers(() => Effect.delay(Effect.succeed(World.ok), "20 seconds"))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 5)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        receivers.seen.map(({ at }) => at),
        [0, 20_000, 40_000, 60_000, 80_000],
      )
      assert.strictEqual(new Set(receivers.seen.map(({ delivery }) => delivery)).size, 5)
    }).pipe(Effect.provide(World.layer(receivers.layer, { per_endpoint: 1 })))
  })
})

describe("a dispatcher that is stopped", () => {
  it.effect("lets attempts under way end, writes them, and gives the rest back", () => {
    const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.ok), "10 seconds"))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      const stop = yield* start(layer, { per_endpoint: 2 })
      yield* World.happen(account_id, 5)
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* statuses(account_id), ["delivering", "delivering", "pending", "pending", "pending"])
      yield* World.happen(account_id)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* statuses(account_id), [
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
      const stop = yield* start(layer, { timeout_ms: 1_000 })
      yield* World.happen(account_id)
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* statuses(account_id), ["pending"])
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("is over at once when nothing is under way", () => {
    const { layer } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      yield* Effect.flatten(start(layer))
    }).pipe(Effect.provide(World.storage))
  })
})

describe("two dispatchers of one storage", () => {
  it.effect("make each attempt once between them", () => {
    const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.ok), 5))
    const settings = { per_endpoint: 4, concurrency: 8 }
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.endpoint(account_id, B)
      yield* World.happen(account_id, 50)
      yield* start(layer, settings)
      yield* start(layer, settings)
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
      yield* Effect.provide(start(stuck.layer), claimsOnce)
      yield* TestClock.adjust("30 seconds")
      yield* start(healthy.layer)
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

describe("a delivery of which no attempt can be made here", () => {
  it.effect("is left without an attempt, and tried again when its lease is over", () => {
    const { seen, layer } = World.receivers((_, nth) =>
      nth === 1 ? Effect.die(new Error("no sockets left")) : World.ok,
    )
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [0, 60_000],
      )
      const [delivery] = yield* World.deliveries(account_id)
      assert.deepStrictEqual([delivery?.status, delivery?.attempt_count], ["succeeded", 1])
    }).pipe(Effect.provide(World.layer(layer)))
  })
})

describe("a delivery that a person retries", () => {
  it.effect("goes out at once", () => {
    const { seen, layer } = World.receivers((_, nth) => (nth === 1 ? World.down : World.ok))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id)
      yield* TestClock.adjust(5_500)
      const [delivery] = yield* World.deliveries(account_id)
      assert.isDefined(delivery)
      yield* Effect.flatMap(Deliveries, ({ retry }) => retry(account_id, delivery.id))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [0, 5_500],
      )
    }).pipe(Effect.provide(World.layer(layer, { poll_ms: HOUR })))
  })
})
