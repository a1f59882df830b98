import { assert, describe, it } from "@effect/vitest"
import type { Delivery, Id } from "@tc/domain"
import { Deliveries, WebhookEndpoints } from "@tc/store"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { defaults } from "../../src/DeliverySettings.ts"
import * as World from "./World.ts"

const A = "https://a.example/"
const B = "https://b.example/"
const MINUTE = 60_000

/** Pauses of 5, 10, 20, 40 and 60 seconds, to the millisecond. */
const settings = { circuit: { ...defaults.circuit, jitter: 0 }, per_endpoint: 1 }

const refused: World.Reply = { error: "connection_refused" }

/** Receivers of which the one at A does not answer before a time. */
const deadUntil = (time: number) => World.receivers(({ at, url }) => (url === A && at < time ? refused : World.ok))

/** An account with an endpoint at A, and so many deliveries to it. */
const begin = (times: number) =>
  Effect.gen(function* () {
    const account_id = yield* World.account
    const endpoint = yield* World.endpoint(account_id, A)
    yield* World.happen(account_id, times)
    return { account_id, endpoint }
  })

/** How many deliveries of an account stand so. */
const count = (account_id: Id.AccountId, status: Delivery.Status) =>
  Effect.flatMap(Deliveries, ({ list }) =>
    Effect.map(list(account_id, { page: 1, per_page: 1, status }), ({ meta }) => meta.total),
  )

const times = (seen: ReadonlyArray<World.Seen>) => seen.map(({ at }) => at)

describe("an endpoint that does not answer", () => {
  it.effect("gets one probe at a time after five failures, each pause twice as long as the one before", () => {
    const { seen, layer } = deadUntil(Infinity)
    return Effect.gen(function* () {
      yield* begin(20)
      yield* TestClock.adjust(100_000)
      // What was attempted first is tried again first, as soon as its schedule allows: after a minute.
      assert.deepStrictEqual(times(seen), [0, 0, 0, 0, 0, 5_000, 15_000, 35_000, 75_000])
      assert.strictEqual(seen[8]?.delivery, seen[0]?.delivery)
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("uses up no attempts of what waits, which is due again when its pause is over", () => {
    const { layer } = deadUntil(Infinity)
    return Effect.gen(function* () {
      const { account_id } = yield* begin(20)
      yield* TestClock.adjust(1_000)
      yield* World.happen(account_id, 10)
      yield* TestClock.adjust(1_000)
      const waiting = (yield* World.deliveries(account_id)).filter(({ attempt_count }) => attempt_count === 0)
      assert.strictEqual(waiting.length, 25)
      for (const { attempts, due_at, status } of waiting) {
        assert.deepStrictEqual([status, attempts.length, Date.parse(due_at ?? "")], ["pending", 0, 5_000])
      }
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("spares every process what waits for it", () => {
    const { seen, layer } = deadUntil(Infinity)
    return Effect.gen(function* () {
      yield* begin(20)
      yield* TestClock.adjust(500)
      yield* World.start(layer, settings)
      yield* TestClock.adjust(4_000)
      assert.strictEqual(seen.length, 5)
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("gets all that waited as soon as a probe is answered", () => {
    const { seen, layer } = deadUntil(30_000)
    return Effect.gen(function* () {
      const { account_id } = yield* begin(200)
      yield* TestClock.adjust(36_000)
      assert.strictEqual(yield* count(account_id, "succeeded"), 193)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* count(account_id, "succeeded"), 200)
      assert.strictEqual(seen.length, 207)
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("is no matter for the others", () => {
    const receivers = deadUntil(Infinity)
    return Effect.gen(function* () {
      const { account_id } = yield* begin(20)
      yield* World.endpoint(account_id, B)
      yield* World.happen(account_id, 50)
      yield* TestClock.adjust(0)
      assert.strictEqual(receivers.at(B).length, 50)
    }).pipe(Effect.provide(World.layer(receivers.layer, settings)))
  })
  it.effect("is tried at once when it was changed", () => {
    const receivers = deadUntil(Infinity)
    return Effect.gen(function* () {
      const { endpoint } = yield* begin(20)
      yield* TestClock.adjust("36 seconds")
      yield* World.change(endpoint, { url: B })
      yield* TestClock.adjust("30 seconds")
      assert.isAtLeast(receivers.at(B).length, 12)
      assert.strictEqual(receivers.at(A).length, 8)
    }).pipe(Effect.provide(World.layer(receivers.layer, settings)))
  })
  it.effect("is none that answers with an error: its slots are free at once", () => {
    const { seen, layer } = World.receivers(() => World.down)
    return Effect.gen(function* () {
      yield* begin(20)
      yield* TestClock.adjust(1_000)
      assert.strictEqual(seen.length, 20)
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("is probed anew where a probe was lost on its way here", () => {
    const receivers = World.receivers((_, nth) => (nth === 1 ? refused : Effect.never))
    return Effect.gen(function* () {
      yield* begin(7)
      yield* TestClock.adjust(59_000)
      assert.deepStrictEqual(times(receivers.seen), [0, 0, 0, 0, 0, 5_000, 15_000])
    }).pipe(Effect.provide(World.layer(receivers.layer, settings)))
  })
})

describe("an attempt that a person asks for", () => {
  it.effect("is made though its endpoint does not answer, whether its delivery has ended or waits", () => {
    const { seen, layer } = deadUntil(Infinity)
    return Effect.gen(function* () {
      const { account_id } = yield* begin(20)
      const { retry } = yield* Deliveries
      yield* TestClock.adjust("16 seconds")
      const all = yield* World.deliveries(account_id)
      const ended = all.find(({ status }) => status === "failed")
      const waits = all.findLast(({ attempt_count }) => attempt_count === 0)
      assert.isDefined(ended)
      assert.isDefined(waits)
      const before = seen.length
      yield* Effect.orDie(retry(account_id, ended.id))
      yield* Effect.orDie(retry(account_id, waits.id))
      yield* TestClock.adjust("5 seconds")
      assert.sameMembers(
        seen.slice(before).map(({ delivery }) => delivery),
        [ended.id, waits.id],
      )
    }).pipe(Effect.provide(World.layer(layer, { ...settings, schedule: [0], disable_after: 100 })))
  })
  it.effect("closes the circuit when it is answered, and the rest follows", () => {
    const { layer } = deadUntil(36_000)
    return Effect.gen(function* () {
      const { account_id } = yield* begin(20)
      const { retry } = yield* Deliveries
      yield* TestClock.adjust("36 seconds")
      const waits = (yield* World.deliveries(account_id)).findLast(({ attempt_count }) => attempt_count === 0)
      yield* Effect.orDie(retry(account_id, waits!.id))
      yield* TestClock.adjust("30 seconds")
      assert.isAtLeast((yield* World.counts(account_id))["succeeded"] ?? 0, 12)
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
})

describe("a delivery to an endpoint that does not answer", () => {
  it.effect("gets its six attempts when they are due, where it is the only one", () => {
    const { seen, layer } = deadUntil(Infinity)
    return Effect.gen(function* () {
      const { account_id } = yield* begin(1)
      yield* TestClock.adjust("15 hours")
      assert.deepStrictEqual(
        times(seen),
        [0, 1, 6, 36, 156, 876].map((minutes) => minutes * MINUTE),
      )
      assert.deepStrictEqual(yield* World.statuses(account_id), ["failed"])
    }).pipe(Effect.provide(World.layer(layer, { ...settings, poll_ms: MINUTE })))
  })
  it.effect("comes to its end however many wait, and the endpoint is disabled after five of them", () => {
    const { seen, layer } = deadUntil(Infinity)
    const schedule = [0, 60_000, 300_000, 600_000]
    return Effect.gen(function* () {
      const { account_id, endpoint } = yield* begin(500)
      yield* TestClock.adjust("30 minutes")
      const { status } = yield* (yield* WebhookEndpoints).get(account_id, endpoint.id)
      assert.strictEqual(status, "auto-disabled")
      const each = Map.groupBy(seen, ({ delivery }) => delivery)
      assert.strictEqual([...each.values()].filter((its) => its.length === schedule.length).length, 5)
      for (const its of each.values()) {
        for (const [nth, { at }] of its.entries())
          if (nth > 0) assert.isAtLeast(at - its[nth - 1]!.at, schedule[nth] ?? 0)
      }
      assert.deepStrictEqual([yield* count(account_id, "failed"), yield* count(account_id, "canceled")], [5, 495])
    }).pipe(Effect.provide(World.layer(layer, { ...settings, schedule })))
  })
})

describe("the log", () => {
  it.effect("says once that an endpoint does not answer, and once that it does again, and which it is", () => {
    const lines: Array<string> = []
    const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const { layer } = deadUntil(30_000)
    return Effect.gen(function* () {
      const { account_id, endpoint } = yield* begin(20)
      yield* TestClock.adjust("40 seconds")
      const told = lines.filter((line) => line.includes("an endpoint "))
      assert.deepStrictEqual(
        told.map((line) => JSON.parse(line).message.split(";")[0]),
        ["an endpoint does not answer", "an endpoint answers again"],
      )
      for (const line of told) for (const id of [account_id, endpoint.id]) assert.include(line, id)
    }).pipe(Effect.provide(World.layer(layer, settings).pipe(Layer.provideMerge(log))))
  })
})
