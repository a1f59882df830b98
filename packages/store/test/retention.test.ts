/** Very many old events and deliveries, among them some that have not ended; and who else is at them. */
import { assert, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerPostgres, type Place, type Pruned, Retention } from "../src/index.ts"
import { texts } from "../src/postgres/Retention.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import { beside } from "./Beside.ts"
import * as Database from "./Database.ts"
import { explain } from "./Explain.ts"

const live = { excludeTestServices: true }

const DAY = 86_400_000
/** As many events, deliveries and attempts each: more than a hundred thousand rows. */
const OLD = 40_000
/** Every so many of the old deliveries waits or is under lease. */
const OPEN_EVERY = 2_000
const RECENT = 1_000
const LIMIT = 1_000
const LEAST = "00000000-0000-0000-0000-000000000000"

/** The id of the n-th millisecond after `from`, ending as given. */
const id = (from: number, end: string) =>
  `(regexp_replace(lpad(to_hex(${from} + n), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7000-') || '${end}')::uuid`

/** Events with a delivery each, which was attempted once, one a millisecond; all have ended but every n-th. */
const seed = (account_id: string, from: number, count: number, open: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [event_id, delivery_id] = [id(from, "8000-000000000000"), id(from, "9000-000000000000")]
    const all = `generate_series(1, ${count}) AS n`
    yield* sql.unsafe(`
      INSERT INTO tc.events (account_id, id, event, occurred_at, tail)
      SELECT '${account_id}', ${event_id}, 'asset.created', now(), '"event":"asset.created"}' FROM ${all}`)
    yield* sql.unsafe(`
      INSERT INTO tc.deliveries (account_id, id, event_id, endpoint_id, event, status, attempt_count, due_at, lease, created_at, updated_at)
      SELECT '${account_id}', ${delivery_id}, ${event_id}, '${account_id}', 'asset.created',
        CASE WHEN n % ${open} > 0 THEN 'succeeded' WHEN n % ${2 * open} > 0 THEN 'pending' ELSE 'delivering' END, 1,
        CASE WHEN n % ${open} = 0 THEN now() + interval '1 hour' END, CASE WHEN n % ${2 * open} = 0 THEN 'held' END, now(), now()
      FROM ${all}`)
    yield* sql.unsafe(`
      INSERT INTO tc.attempts (account_id, delivery_id, number, started_at, duration_ms)
      SELECT '${account_id}', ${delivery_id}, 1, now(), 5 FROM ${all}`)
  })

/** Removes all that it may. Answers how many batches that took. */
const prune = (before: number) =>
  Effect.gen(function* () {
    const retention = yield* Retention
    let batches = 0
    for (let from: Place | null = null; from !== null || batches === 0; batches++) {
      const batch: Pruned = yield* retention.prune({ before, limit: LIMIT, max_bytes: 1e9, from })
      assert.isAtMost(batch.removed, LIMIT)
      from = batch.next
    }
    return batches
  })

/** How many rows of each kind an account has. */
const counts = (account_id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ readonly events: number; readonly attempts: number; readonly deliveries: object }>`
      SELECT (SELECT count(*)::int FROM tc.events WHERE account_id = ${account_id}) AS events,
        (SELECT count(*)::int FROM tc.attempts WHERE account_id = ${account_id}) AS attempts,
        (SELECT json_object_agg(status, count) FROM (
          SELECT status, count(*) FROM tc.deliveries WHERE account_id = ${account_id} GROUP BY status
        ) AS s) AS deliveries`
  })

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a hundred thousand old rows", (it) => {
  it.effect(
    "are removed by batches that read what they remove, which leave those that have not ended and their events",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const account_id = yield* Fixture.account
        const before = Date.now() - 30 * DAY
        yield* seed(account_id, before - OLD - 1, OLD, OPEN_EVERY)
        yield* seed(account_id, before, RECENT, RECENT)
        yield* sql`ANALYZE tc.events, tc.deliveries, tc.attempts`

        const range = [LEAST, LEAST, Id.least(before), LIMIT]
        const of_events = [...range, 1e9]
        const scans = [yield* explain(texts.deliveries, range), yield* explain(texts.events, of_events)]
        const [batch] = yield* sql.unsafe<{
          readonly accounts: ReadonlyArray<string>
          readonly ids: ReadonlyArray<string>
        }>(texts.events, of_events)
        scans.push(yield* explain(texts.remove, [batch?.accounts, batch?.ids]))
        yield* prune(before)
        for (const { kinds, most } of scans) {
          assert.notInclude(kinds, "Seq Scan")
          assert.isAtMost(most, LIMIT)
        }
        const open = OLD / OPEN_EVERY
        const deliveries = { pending: open / 2 + 1, delivering: open / 2, succeeded: RECENT - 1 }
        const rows = { events: open + RECENT, attempts: open + RECENT, deliveries }
        assert.deepStrictEqual(yield* counts(account_id), [rows])
      }),
    600_000,
  )
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a run", (it) => {
  const begin = Effect.gen(function* () {
    const account_id = yield* Fixture.account
    const before = Date.now() - 30 * DAY
    yield* seed(account_id, before - 10, 1, 2)
    return { account_id, before }
  })

  it.effect("is left to the process that is at it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, before } = yield* begin
      assert.strictEqual(yield* beside(sql`SELECT pg_advisory_xact_lock(7463210003)`, prune(before)), 1)
      assert.strictEqual((yield* counts(account_id))[0]?.events, 1)
      yield* prune(before)
      assert.strictEqual((yield* counts(account_id))[0]?.events, 0)
    }),
  )

  it.effect("passes over a delivery that is being retried, and keeps its event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, before } = yield* begin
      const retry = sql`UPDATE tc.deliveries SET status = 'pending', due_at = now() WHERE account_id = ${account_id}`
      yield* beside(retry, prune(before))
      assert.deepStrictEqual(yield* counts(account_id), [{ events: 1, attempts: 1, deliveries: { pending: 1 } }])
    }),
  )

  it.effect("passes over an event for which somebody makes a delivery just now", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account_id, before } = yield* begin
      yield* sql`DELETE FROM tc.deliveries WHERE account_id = ${account_id}`
      const make = sql`SELECT 1 FROM tc.events WHERE account_id = ${account_id} FOR KEY SHARE`
      yield* beside(make, prune(before))
      assert.strictEqual((yield* counts(account_id))[0]?.events, 1)
    }),
  )
})
