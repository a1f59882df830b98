import { assert, describe, it } from "@effect/vitest"
import { Deliveries, Handoff, type Job, layerMemory, WebhookEndpoints } from "@tc/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Mailbox } from "../../src/Mailbox.ts"
import * as World from "./World.ts"

const A = "https://a.example/"
const B = "https://b.example/"
const HOUR = 3_600_000

/** Receivers that take a second, and an endpoint with 30 deliveries of which two are under way. */
const busy = (storage: typeof World.storage = World.storage) => {
  const receivers = World.receivers(() => Effect.delay(Effect.succeed(World.ok), "1 second"))
  const begin = Effect.gen(function* () {
    const account_id = yield* World.account
    const endpoint = yield* World.endpoint(account_id, A)
    yield* World.happen(account_id, 30)
    yield* TestClock.adjust(500)
    assert.strictEqual(receivers.seen.length, 2)
    return { account_id, endpoint }
  })
  const dispatcher = World.dispatcher(receivers.layer, { per_endpoint: 2, poll_ms: HOUR })
  return { receivers, begin, layer: dispatcher.pipe(Layer.provideMerge(storage)) }
}

describe("what waits for an endpoint", () => {
  it.effect("is not sent once the endpoint is disabled, and canceled", () => {
    const { begin, layer, receivers } = busy()
    return Effect.gen(function* () {
      const { account_id, endpoint } = yield* begin
      yield* World.change(endpoint, { status: "disabled" })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(receivers.seen.length, 2)
      assert.deepStrictEqual(yield* World.counts(account_id), { succeeded: 2, canceled: 28 })
    }).pipe(Effect.provide(layer))
  })
  it.effect("is not sent once the endpoint is deleted, and canceled", () => {
    const { begin, layer, receivers } = busy()
    return Effect.gen(function* () {
      const { account_id, endpoint } = yield* begin
      yield* Effect.orDie((yield* WebhookEndpoints).delete(account_id, endpoint.id))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(receivers.seen.length, 2)
      assert.deepStrictEqual(yield* World.counts(account_id), { succeeded: 2, canceled: 28 })
    }).pipe(Effect.provide(layer))
  })
  it.effect("goes to the new URL once the endpoint has one", () => {
    const { begin, layer, receivers } = busy()
    return Effect.gen(function* () {
      const { account_id, endpoint } = yield* begin
      yield* World.change(endpoint, { url: B })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([receivers.at(A).length, receivers.at(B).length], [2, 28])
      assert.deepStrictEqual(yield* World.counts(account_id), { succeeded: 30 })
    }).pipe(Effect.provide(layer))
  })
  it.effect("stays where it is when another account's endpoint of the same id is disabled", () => {
    const { begin, layer, receivers } = busy()
    return Effect.gen(function* () {
      const { endpoint } = yield* begin
      const other = yield* World.account
      yield* World.change(yield* World.endpoint(other, B, ["*"], endpoint.id), { status: "disabled" })
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(
        receivers.seen.map(({ at }) => at),
        Array.from({ length: 30 }, (_, nth) => 1_000 * Math.floor(nth / 2)),
      )
    }).pipe(Effect.provide(layer))
  })
  it.effect("is not sent either when it was on its way here as the endpoint was changed", () => {
    const receivers = World.receivers(() => World.ok)
    /** A queue whose answers take a second. */
    const slow = Layer.effect(
      Deliveries,
      Effect.map(Deliveries, (deliveries) =>
        Deliveries.of({
          ...deliveries,
          claim: (request) => Effect.tap(deliveries.claim(request), Effect.sleep("1 second")),
        }),
      ),
    )
    return Effect.gen(function* () {
      const account_id = yield* World.account
      const endpoint = yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 3)
      yield* Effect.provide(World.start(receivers.layer), slow)
      yield* TestClock.adjust(500)
      yield* World.change(endpoint, { url: B })
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual([receivers.at(A).length, receivers.at(B).length], [0, 3])
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("is not sent either when it was being written as the endpoint was changed", () => {
    const receivers = World.receivers(() => World.ok)
    /** What a storage hands over that takes its time. */
    const late: Array<Job> = []
    const slow = Layer.effect(
      Handoff,
      Effect.map(Handoff, ({ delay_ms, lease, recall, wake }) => {
        return { delay_ms, lease, recall, wake, offer: (jobs: ReadonlyArray<Job>) => void late.push(...jobs) }
      }),
    )
    const storage = layerMemory.pipe(Layer.provide(slow), Layer.provideMerge(Mailbox.layer))
    return Effect.gen(function* () {
      const { offer } = yield* Handoff
      const account_id = yield* World.account
      const endpoint = yield* World.endpoint(account_id, A)
      const other = yield* World.endpoint(account_id, "https://other.example/")
      yield* World.happen(account_id, 3)
      yield* World.change(endpoint, { url: B })
      assert.strictEqual(late.length, 6)
      offer(late)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual([receivers.at(A).length, receivers.at(other.url).length], [0, 3])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual([receivers.at(A).length, receivers.at(B).length], [0, 3])
    }).pipe(Effect.provide(World.dispatcher(receivers.layer).pipe(Layer.provideMerge(storage))))
  })
})
