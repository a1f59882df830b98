import { assert, describe, it } from "@effect/vitest"
import { Value, type WebhookEndpoint } from "@tc/domain"
import { Recoveries } from "@tc/store"
import { Clock, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Recoverer from "../../src/Recoverer.ts"
import * as World from "./World.ts"

const URL = "https://a.example/"
const OTHER = "https://b.example/"

/** Storage with a dispatcher and a worker on recoveries. */
const world = (receivers: ReturnType<typeof World.receivers>) =>
  Recoverer.layer.pipe(Layer.provideMerge(World.layer(receivers.layer)))

/** An endpoint that was disabled while so many events happened. */
const missing = Effect.fnUntraced(function* (times: number) {
  const account_id = yield* World.account
  const endpoint = yield* World.endpoint(account_id, URL)
  yield* World.change(endpoint, { status: "disabled" })
  yield* World.happen(account_id, times)
  yield* World.change(endpoint, { status: "active" })
  return endpoint
})

const recover = ({ account_id, id }: WebhookEndpoint.WebhookEndpoint) =>
  Effect.gen(function* () {
    const until = Value.timestamp(yield* Clock.currentTimeMillis)
    const wanted = { since: Value.timestamp(0), until, events: null }
    return yield* Effect.orDie((yield* Recoveries).create(account_id, id, wanted))
  })

const look = ({ account_id, endpoint_id, id }: Effect.Success<ReturnType<typeof recover>>) =>
  Effect.flatMap(Recoveries, ({ get }) => Effect.orDie(get(account_id, endpoint_id, id)))

describe("the worker on recoveries", () => {
  it.effect("gets an endpoint what it missed, in order, and tells in the log when it is through", () => {
    const lines: Array<string> = []
    const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const endpoint = yield* missing(30)
      const recovery = yield* recover(endpoint)
      yield* TestClock.adjust("10 seconds")
      const { delivery_count, event_count, status } = yield* look(recovery)
      assert.deepStrictEqual([status, event_count, delivery_count], ["completed", 30, 30])
      assert.strictEqual(receivers.seen.length, 30)
      const order = receivers.seen.map(({ delivery }) => delivery)
      assert.deepStrictEqual(order, order.toSorted())
      assert.strictEqual(lines.filter((line) => line.includes(recovery.id)).length, 1)
    }).pipe(Effect.provide(world(receivers).pipe(Layer.provideMerge(log))))
  })

  it.effect("lets few deliveries wait at an endpoint that is slow, and no other endpoint waits for them", () => {
    const receivers = World.receivers(({ url }) =>
      url === URL ? Effect.as(Effect.sleep("10 seconds"), World.ok) : World.ok,
    )
    return Effect.gen(function* () {
      const endpoint = yield* missing(1_000)
      const recovery = yield* recover(endpoint)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* look(recovery)).delivery_count, 256)
      yield* World.endpoint(endpoint.account_id, OTHER)
      yield* World.happen(endpoint.account_id)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(receivers.at(OTHER).length, 1)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* look(recovery)).status, "completed")
      assert.strictEqual(receivers.at(URL).length, 1_001)
    }).pipe(Effect.provide(world(receivers)))
  })

  it.effect("goes on after the storage was out of reach", () => {
    const receivers = World.receivers(() => World.ok)
    let failures = 0
    const failing = Layer.effect(
      Recoveries,
      Effect.map(Recoveries, (recoveries) =>
        Recoveries.of({
          ...recoveries,
          advance: (...given) => (failures++ < 1 ? Effect.die(new Error("no storage")) : recoveries.advance(...given)),
        }),
      ),
    )
    const layer = Recoverer.layer.pipe(Layer.provide(failing), Layer.provideMerge(World.layer(receivers.layer)))
    return Effect.gen(function* () {
      const recovery = yield* recover(yield* missing(3))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* look(recovery)).status, "running")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* look(recovery)).status, "completed")
      assert.strictEqual(receivers.seen.length, 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is joined by others, and still each delivery is made once", () => {
    const receivers = World.receivers(() => World.ok)
    const more = Layer.mergeAll(Layer.fresh(Recoverer.layer), Layer.fresh(Recoverer.layer))
    return Effect.gen(function* () {
      const endpoints = [yield* missing(600), yield* missing(600)]
      for (const endpoint of endpoints) yield* recover(endpoint)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(receivers.seen.length, 1_200)
    }).pipe(Effect.provide(more.pipe(Layer.provideMerge(world(receivers)))))
  })
})
