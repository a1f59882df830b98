import { assert, describe, it } from "@effect/vitest"
import { Deliveries, WebhookEndpoints } from "@tc/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Looking every second through many hours of a test clock takes its time; the dispatcher knows what is due anyway. */
const settings = { poll_ms: HOUR }

/** An account with an endpoint at each URL, and one event. */
const started = (...urls: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const account_id = yield* World.account
    for (const url of urls) yield* World.endpoint(account_id, url)
    yield* World.happen(account_id)
    return account_id
  })

const A = "https://a.example/"
const B = "https://b.example/"

/** Storage that takes a while to answer claims: some deliveries become due meanwhile. */
const slow = Layer.effect(
  Deliveries,
  Effect.map(Deliveries, (deliveries) =>
    Deliveries.of({ ...deliveries, claim: (request) => Effect.tap(deliveries.claim(request), Effect.sleep(50)) }),
  ),
).pipe(Layer.provideMerge(World.storage))

describe("a delivery", () => {
  it.effect("is attempted six times, each delay from the end of the attempt before", () => {
    const took = 7_000
    const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.down), took))
    return Effect.gen(function* () {
      const account_id = yield* started(A)
      yield* TestClock.adjust("20 hours")
      const ends = [0, ...seen.map(({ at }) => at + took)]
      const delays = seen.map(({ at }, index) => at - (ends[index] ?? 0))
      assert.deepStrictEqual(delays, [0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR])
      const [delivery] = yield* World.deliveries(account_id)
      assert.strictEqual(delivery?.status, "failed")
      assert.deepStrictEqual(
        delivery?.attempts.map(({ number }) => number),
        [1, 2, 3, 4, 5, 6],
      )
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("is attempted in time that falls due while others are claimed", () => {
    const { seen, at, layer } = World.receivers(({ url }) =>
      Effect.delay(Effect.succeed(World.down), url === A ? 0 : 20),
    )
    return Effect.gen(function* () {
      yield* started(A, B)
      yield* TestClock.adjust("10 minutes")
      const [, retry] = at(B)
      assert.isBelow((retry?.at ?? Infinity) - MINUTE, 200)
      assert.isAtLeast(seen.length, 4)
    }).pipe(Effect.provide(World.dispatcher(layer, settings).pipe(Layer.provideMerge(slow))))
  })
  it.effect("has the same id and the same bytes at every attempt, and fresh signatures", () => {
    const { seen, layer } = World.receivers(() => World.down)
    return Effect.gen(function* () {
      yield* started(A)
      yield* TestClock.adjust("20 hours")
      const bodies = seen.map(({ body }) => new TextDecoder().decode(body))
      assert.strictEqual(bodies.length, 6)
      assert.strictEqual(new Set(bodies).size, 1)
      assert.strictEqual(new Set(seen.map(({ delivery }) => delivery)).size, 1)
      assert.strictEqual(new Set(seen.map(({ headers }) => headers["X-Service-Signature"])).size, 6)
      assert.deepStrictEqual(
        seen.map(({ headers }) => Number(headers["X-Service-Timestamp"])),
        seen.map(({ at }) => at / 1_000),
      )
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("is not attempted again once it has succeeded", () => {
    const { seen, layer } = World.receivers((_, nth) => (nth === 3 ? World.ok : World.down))
    return Effect.gen(function* () {
      const account_id = yield* started(A)
      yield* TestClock.adjust("20 hours")
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [0, MINUTE, 6 * MINUTE],
      )
      const [delivery] = yield* World.deliveries(account_id)
      assert.strictEqual(delivery?.status, "succeeded")
      assert.deepStrictEqual(
        delivery?.attempts.map(({ status_code }) => status_code),
        [500, 500, 200],
      )
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("is put off by Retry-After, and never made to come sooner", () => {
    const { seen, layer } = World.receivers((_, nth) => ({ status_code: 429, retry_after: nth === 1 ? "600" : "1" }))
    return Effect.gen(function* () {
      yield* started(A)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [0, 10 * MINUTE, 15 * MINUTE, 45 * MINUTE],
      )
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("is put off to the date that Retry-After names", () => {
    const retry_after = new Date(20 * MINUTE).toUTCString()
    const { at, layer } = World.receivers(() => ({ status_code: 503, retry_after }))
    return Effect.gen(function* () {
      yield* started(A)
      yield* TestClock.adjust("22 minutes")
      assert.deepStrictEqual(
        at(A).map((seen) => seen.at),
        [0, 20 * MINUTE],
      )
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("has failed when its receiver says that it is gone, and counts against its endpoint", () => {
    const { seen, layer } = World.receivers(() => ({ status_code: 410 }))
    return Effect.gen(function* () {
      const account_id = yield* started(A)
      yield* TestClock.adjust("20 hours")
      assert.deepStrictEqual([yield* World.statuses(account_id), seen.length], [["failed"], 1])
      const { data } = yield* (yield* WebhookEndpoints).list(account_id, { page: 1, per_page: 10 })
      assert.deepStrictEqual(
        data.map((endpoint) => [endpoint.status, endpoint.consecutive_failures]),
        [["active", 1]],
      )
    }).pipe(Effect.provide(World.layer(layer, settings)))
  })
  it.effect("follows the schedule that is set", () => {
    const { seen, layer } = World.receivers(() => World.down)
    return Effect.gen(function* () {
      const account_id = yield* started(A)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [0, 10],
      )
      const [delivery] = yield* World.deliveries(account_id)
      assert.strictEqual(delivery?.status, "failed")
    }).pipe(Effect.provide(World.layer(layer, { ...settings, schedule: [0, 10] })))
  })
  it.effect("goes to each endpoint by itself: one that failed is not sent to the others again", () => {
    const receivers = World.receivers(({ url }, nth) => (url === A && nth < 3 ? World.down : World.ok))
    return Effect.gen(function* () {
      yield* started(A, B)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([receivers.at(A).length, receivers.at(B).length], [3, 1])
    }).pipe(Effect.provide(World.layer(receivers.layer, settings)))
  })
  it.effect("that a person retries beyond its schedule fails again without a word to its endpoint's count", () => {
    const { seen, layer } = World.receivers(() => World.down)
    return Effect.gen(function* () {
      const account_id = yield* started(A)
      yield* TestClock.adjust("1 minute")
      const [delivery] = yield* World.deliveries(account_id)
      assert.isDefined(delivery)
      yield* Effect.flatMap(Deliveries, ({ retry }) => retry(account_id, delivery.id))
      yield* TestClock.adjust("1 second")
      const [after] = yield* World.deliveries(account_id)
      assert.deepStrictEqual([after?.status, after?.attempt_count, seen.length], ["failed", 3, 3])
      const [endpoint] = (yield* Effect.flatMap(WebhookEndpoints, ({ list }) =>
        list(account_id, { page: 1, per_page: 10 }),
      )).data
      assert.strictEqual(endpoint?.consecutive_failures, 1)
    }).pipe(Effect.provide(World.layer(layer, { ...settings, schedule: [0, 10] })))
  })
})

const short = { ...settings, schedule: [0, 1_000] as const }
const status = (account_id: Effect.Success<typeof World.account>, url: string) =>
  Effect.gen(function* () {
    const { list } = yield* WebhookEndpoints
    const { data } = yield* list(account_id, { page: 1, per_page: 10 })
    return data.find((endpoint) => endpoint.url === url)?.status
  })

describe("an endpoint", () => {
  it.effect("is disabled by the fifth delivery in a row that exhausts its attempts", () => {
    const { layer } = World.receivers(() => World.down)
    return Effect.gen(function* () {
      const account_id = yield* started(A)
      for (let exhausted = 1; exhausted < 5; exhausted++) {
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* status(account_id, A), "active")
        yield* World.happen(account_id)
      }
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* status(account_id, A), "auto-disabled")
    }).pipe(Effect.provide(World.layer(layer, short)))
  })
  it.effect("that was disabled is told of to the others, and not to itself", () => {
    const receivers = World.receivers(({ url }) => (url === A ? World.down : World.ok))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A, ["*"])
      yield* World.endpoint(account_id, B, ["webhook_endpoint.disabled"])
      yield* World.happen(account_id, 5)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        receivers.at(B).map(({ event }) => event),
        ["webhook_endpoint.disabled"],
      )
      assert.deepStrictEqual(new Set(receivers.at(A).map(({ event }) => event)), new Set(["asset.created"]))
    }).pipe(Effect.provide(World.layer(receivers.layer, short)))
  })
  it.effect("starts over counting when a delivery succeeds", () => {
    const replies = [
      ...Array.from({ length: 8 }, () => World.down),
      World.ok,
      ...Array.from({ length: 8 }, () => World.down),
    ]
    const { layer } = World.receivers(() => replies.shift() ?? World.ok)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      for (let delivery = 1; delivery <= 9; delivery++) {
        yield* World.happen(account_id)
        yield* TestClock.adjust("1 minute")
      }
      assert.strictEqual(replies.length, 0)
      assert.strictEqual(yield* status(account_id, A), "active")
    }).pipe(Effect.provide(World.layer(layer, short)))
  })
})
