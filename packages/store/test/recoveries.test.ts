/** Recoveries beside others who are at the same rows, and through a long backlog. */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Deliveries, layerPostgres, Recoveries, Retention } from "../src/index.ts"
import { text } from "../src/postgres/Recovering.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Queue from "../src/testing/Queue.ts"
import * as Recovering from "../src/testing/Recovering.ts"
import { beside } from "./Beside.ts"
import * as Database from "./Database.ts"
import { explain } from "./Explain.ts"

const live = { excludeTestServices: true }

/** A recovery of three missed events, in the hands of a worker. */
const begin = Effect.gen(function* () {
  const { account_id, endpoint } = yield* Recovering.missing(3)
  yield* Recovering.ask(endpoint)
  const { advance, claim } = yield* Recoveries
  const claimed = (yield* claim(60_000))!
  return { account_id, endpoint, advance: (limit = 100) => advance(claimed, { ...Recovering.anything, limit }) }
})

/** Whether some statement waits for another transaction. */
const waits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows =
    yield* sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return rows.length > 0
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a recovery", (it) => {
  it.effect("that is cut in the middle of a batch neither loses nor repeats an event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, advance } = yield* begin
      const cut = Effect.andThen(advance(2), Effect.fail("cut"))
      assert.strictEqual(yield* Effect.flip(sql.withTransaction(cut)), "cut")
      assert.deepStrictEqual(yield* Fixture.deliveries(account_id), [])
      assert.deepStrictEqual((yield* advance())?.delivery_count, 3)
      assert.strictEqual((yield* Fixture.deliveries(account_id)).length, 3)
    }),
  )

  it.effect("keeps the events that it delivers from being removed for their age", () =>
    Effect.gen(function* () {
      yield* Queue.clear
      const { account_id, advance } = yield* begin
      const { prune } = yield* Retention
      const old = { before: Date.now() + 1_000, limit: 1_000, max_bytes: 1e9 }
      const whole = Effect.gen(function* () {
        for (let { next } = yield* prune({ ...old, from: null }); next !== null;) {
          next = (yield* prune({ ...old, from: next })).next
        }
      })
      yield* beside(advance(), whole)
      assert.strictEqual((yield* Fixture.told(account_id)).length, 3)
      assert.strictEqual((yield* Queue.claim()).length, 3)
    }),
  )

  it.effect("creates no delivery of an event whose failed one is being retried", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const jobs = yield* Queue.claim()
      yield* Queue.settle(jobs, "failed")
      yield* Recovering.ask(endpoint)
      const { retry } = yield* Deliveries
      const [begun, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const retrying = yield* Effect.forEach(jobs, ({ id }) => retry(account_id, id)).pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Deferred.await(over)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(begun)
      const working = yield* Effect.forkChild(Recovering.work())
      const isWaiting = Effect.gen(function* () {
        while (!(yield* waits)) yield* Effect.sleep("5 millis")
      })
      // Were it not to wait, it would be over now.
      yield* Effect.race(isWaiting, Fiber.await(working))
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(retrying)
      assert.strictEqual((yield* Fiber.join(working)).at(-1)?.delivery_count, 0)
      assert.strictEqual((yield* Fixture.deliveries(account_id)).length, 1)
    }),
  )
})

const EVENTS = 20_000
const LIMIT = 500

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a batch in a long history", (it) => {
  it.effect("reads the events that it looks at, and the one place in an index where each could have a delivery", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, endpoint } = yield* Recovering.missing(0)
      const id = (end: string) =>
        `(regexp_replace(lpad(to_hex(${Date.now() - EVENTS} + n), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7000-') || '${end}')::uuid`
      const [event_id, delivery_id] = [id("8000-000000000000"), id("9000-000000000000")]
      const all = `generate_series(1, ${EVENTS}) AS n`
      yield* sql.unsafe(`
        INSERT INTO tc.events (account_id, id, event, occurred_at, tail)
        SELECT '${account_id}', ${event_id}, 'asset.created', now(), '"event":"asset.created"}' FROM ${all}`)
      yield* sql.unsafe(`
        INSERT INTO tc.deliveries (account_id, id, event_id, endpoint_id, event, status, attempt_count, created_at, updated_at)
        SELECT '${account_id}', ${delivery_id}, ${event_id}, '${endpoint.id}', 'asset.created',
          CASE WHEN n % 5 = 0 THEN 'failed' ELSE 'succeeded' END, 1, now(), now()
        FROM ${all}`)
      yield* sql`ANALYZE tc.events, tc.deliveries`
      const [first, last] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]
      const now = new Date().toISOString()
      const params = [account_id, endpoint.id, first, last, LIMIT, '["*"]', 1_000, now]
      const { kinds, most } = yield* explain(text, params)
      assert.notInclude(kinds, "Seq Scan")
      assert.isAtMost(most, LIMIT)

      yield* Recovering.ask(endpoint)
      const steps = yield* Recovering.work({ limit: LIMIT, max_open: 10_000 })
      const { delivery_count, event_count } = steps.at(-1)!
      assert.deepStrictEqual([steps.length - 1, event_count, delivery_count], [EVENTS / LIMIT, EVENTS, EVENTS / 5])
    }),
  )
})
