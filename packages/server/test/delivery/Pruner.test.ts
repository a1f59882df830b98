import { assert, describe, it } from "@effect/vitest"
import { Deliveries, Events, Retention } from "@tc/store"
import { Clock, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Pruner from "../../src/Pruner.ts"
import * as World from "./World.ts"

const DAY = 86_400_000

/** Storage with a pruner. Nothing is delivered but by the tests. */
const world = (retention_ms: number | null) =>
  Pruner.layer.pipe(Layer.provide(World.settings({ retention_ms })), Layer.provideMerge(World.storage))

/** Lets something happen so many times to an account with an endpoint, and the deliveries succeed. */
const deliver = Effect.fnUntraced(function* (account_id: Effect.Success<typeof World.account>, times: number) {
  yield* World.happen(account_id, times)
  const deliveries = yield* Deliveries
  const request = { limit: 100, per_endpoint: 100, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 60_000 }
  const { jobs } = yield* deliveries.claim(request)
  const answer = { started_at: "2026-11-01T12:00:00.000Z", duration_ms: 5, status_code: 200, error: null }
  const attempt = { ...answer, number: 1, response_excerpt: null }
  const settlements = jobs.map((job) => ({ job, attempt, outcome: "succeeded" as const }))
  yield* deliveries.settle(settlements, () => ({ consecutive_failures: 0, disable: false }))
})

const begin = Effect.gen(function* () {
  const account_id = yield* World.account
  yield* World.endpoint(account_id, "https://a.example/")
  yield* deliver(account_id, 3)
  return account_id
})

/** How an account's deliveries stand, and how many events it has. */
const left = Effect.fnUntraced(function* (account_id: Effect.Success<typeof World.account>) {
  const { meta } = yield* Effect.orDie((yield* Events).list(account_id, { page: 1, per_page: 1 }))
  return { deliveries: yield* World.counts(account_id), events: meta.total }
})

describe("the pruner", () => {
  it.effect("removes what is older than the retention within an hour, and no more", () =>
    Effect.gen(function* () {
      const account_id = yield* begin
      yield* TestClock.adjust("29 days")
      yield* deliver(account_id, 2)
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* left(account_id), { deliveries: { succeeded: 5 }, events: 5 })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* left(account_id), { deliveries: { succeeded: 2 }, events: 2 })
    }).pipe(Effect.provide(world(30 * DAY))),
  )

  it.effect("removes nothing where all is kept for ever", () =>
    Effect.gen(function* () {
      const account_id = yield* begin
      yield* TestClock.adjust("3650 days")
      assert.deepStrictEqual(yield* left(account_id), { deliveries: { succeeded: 3 }, events: 3 })
    }).pipe(Effect.provide(world(null))),
  )

  it.effect("leaves what waits, however long", () =>
    Effect.gen(function* () {
      const account_id = yield* begin
      yield* World.happen(account_id, 1)
      yield* TestClock.adjust("10 days")
      assert.deepStrictEqual(yield* left(account_id), { deliveries: { pending: 1 }, events: 1 })
    }).pipe(Effect.provide(world(DAY))),
  )

  it.effect("rests between batches, so that it holds nobody up", () => {
    const times: Array<number> = []
    const slow = Layer.effect(
      Retention,
      Effect.map(Clock.Clock, (clock) =>
        Retention.of({
          prune: ({ from }) =>
            Effect.sync(() => times.push(clock.currentTimeMillisUnsafe())).pipe(
              Effect.andThen(Effect.sleep("2 seconds")),
              Effect.as({ removed: 1, next: from === null ? { table: "events", account_id: "", id: "" } : null }),
            ),
        }),
      ),
    )
    return Effect.gen(function* () {
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(times, [60_000, 64_000])
    }).pipe(Effect.provide(Layer.provide(Pruner.layer, slow)))
  })

  it.effect("goes on after the storage was out of reach, and says so in the log", () => {
    const lines: Array<string> = []
    const failing = Layer.effect(
      Retention,
      Effect.map(Retention, ({ prune }) =>
        Retention.of({
          prune: (request) => (lines.length < 2 ? Effect.die(new Error("no storage")) : prune(request)),
        }),
      ),
    )
    const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const settings = World.settings({ retention_ms: DAY })
    const layer = Pruner.layer.pipe(Layer.provide([settings, failing]), Layer.provideMerge(World.storage))
    return Effect.gen(function* () {
      const account_id = yield* begin
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* left(account_id), { deliveries: {}, events: 0 })
      assert.strictEqual(lines.filter((line) => line.includes("no storage")).length, 2)
    }).pipe(Effect.provide(layer.pipe(Layer.provideMerge(log))))
  })
})
