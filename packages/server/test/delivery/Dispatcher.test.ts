import { assert, describe, it } from "@effect/vitest"
import { Deliveries } from "@tc/store"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"
const B = "https://b.example/"
const HOUR = 3_600_000

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
      assert.deepStrictEqual(yield* World.statuses(account_id), ["delivering"])
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [10],
      )
      assert.deepStrictEqual(yield* World.statuses(account_id), ["succeeded"])
    }).pipe(Effect.provide(World.layer(layer, { poll_ms: HOUR })))
  })
  it.effect("is born pending where there is no dispatcher, and found by the next one", () => {
    const { seen, layer } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 3)
      assert.deepStrictEqual(yield* World.statuses(account_id), ["pending", "pending", "pending"])
      yield* World.start(layer)
      yield* TestClock.adjust(0)
      assert.strictEqual(seen.length, 3)
      assert.deepStrictEqual(yield* World.statuses(account_id), ["succeeded", "succeeded", "succeeded"])
    }).pipe(Effect.provide(World.storage))
  })
})

describe("a slow endpoint", () => {
  it.effect("delays no other, however much it has waiting", () => {
    const receivers = World.receivers(({ url }) =>
      url === A ? Effect.delay(Effect.succeed({ error: "timeout" }), "30 seconds") : World.ok,
    )
    return Effect.gen(function* () {
      yield* World.start(receivers.layer, { concurrency: 64, per_endpoint: 32 })
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
  it.effect("delays no endpoint of another account that has the same id", () => {
    const receivers = World.receivers(({ url }) =>
      url === A ? Effect.delay(Effect.succeed({ error: "timeout" }), "30 seconds") : World.ok,
    )
    return Effect.gen(function* () {
      yield* World.start(receivers.layer, { concurrency: 64, per_endpoint: 4, window: 4 })
      const [mine, theirs] = [yield* World.account, yield* World.account]
      const { id } = yield* World.endpoint(theirs, A)
      yield* World.endpoint(mine, B, ["asset.created"], id)
      yield* World.happen(theirs, 10)
      yield* World.happen(mine, 10)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual([receivers.at(A).length, receivers.at(B).length], [4, 10])
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("gets no more attempts at a time than its cap, and in the end all of them", () => {
    const { reply, most } = counting(10)
    const { seen, layer } = World.receivers(() => reply)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 100)
      yield* World.start(layer, { per_endpoint: 4, concurrency: 64, poll_ms: HOUR })
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
        [0, 20_000, 40_100, 60_100, 80_100],
      )
      assert.strictEqual(new Set(receivers.seen.map(({ delivery }) => delivery)).size, 5)
    }).pipe(Effect.provide(World.layer(receivers.layer, { per_endpoint: 1, poll_ms: HOUR })))
  })
})

describe("endpoints that hang", () => {
  it.effect("delay no other, however many they are", () => {
    const receivers = World.receivers(({ url }) =>
      url === A ? World.ok : Effect.delay(Effect.succeed({ error: "timeout" }), "30 seconds"),
    )
    return Effect.gen(function* () {
      yield* World.start(receivers.layer)
      const account_id = yield* World.account
      for (let hanging = 0; hanging < 40; hanging++) yield* World.endpoint(account_id, `https://${hanging}.example/`)
      yield* World.happen(account_id, 40)
      yield* World.endpoint(account_id, A)
      for (let second = 1; second <= 60; second++) {
        yield* TestClock.adjust("1 second")
        yield* World.happen(account_id)
      }
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(
        receivers.at(A).map(({ at }) => at),
        Array.from({ length: 60 }, (_, index) => 1_000 * (index + 1)),
      )
    }).pipe(Effect.provide(World.storage))
  })
})

describe("an endpoint that is disabled", () => {
  it.effect("gets no more of what waits for it", () => {
    const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.down), 10))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 50)
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(seen.length, 7)
      const canceled = (yield* World.statuses(account_id)).filter((status) => status === "canceled")
      assert.strictEqual(canceled.length, 50 - seen.length)
    }).pipe(Effect.provide(World.layer(layer, { schedule: [0], per_endpoint: 2 })))
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
