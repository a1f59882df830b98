/** An endpoint for which very many deliveries wait. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Deliveries, layerPostgres, WebhookEndpoints } from "../src/index.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Queue from "../src/testing/Queue.ts"
import * as Database from "./Database.ts"

const live = { excludeTestServices: true }

/** More than two statements cancel, and more of them due at one moment than one does. */
const WAITING = 25_000
/** More than one claim looks for. */
const OTHERS = 1_500

/** Notes how many rows each statement changes that cancels. */
const watch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE tc.changes (count int)`
  yield* sql`CREATE FUNCTION tc.note() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO tc.changes SELECT count(*) FROM changed WHERE status = 'canceled'; RETURN NULL; END $$`
  yield* sql`CREATE TRIGGER note AFTER UPDATE ON tc.deliveries REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tc.note()`
})

/** Repeats an endpoint, or its only delivery, each with an id of its own and what else is given of each. */
const repeat = (table: string, account_id: string, times: number, fields: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(`
      INSERT INTO tc.${table} SELECT (r).* FROM (
        SELECT jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${fields})) AS r
        FROM tc.${table} t, generate_series(1, ${times}) AS n
        WHERE t.account_id = '${account_id}'
      ) AS more`),
  )

/** An endpoint, in an account of its own, for which so many deliveries wait, each with what else is given of it. */
const backlogged = Effect.fnUntraced(function* (times: number, fields: string) {
  const account_id = yield* Fixture.account
  const { id: endpoint_id } = yield* Fixture.endpoint(account_id)
  yield* Fixture.asset(account_id)
  yield* repeat("deliveries", account_id, times - 1, fields)
  return { account_id, endpoint_id }
})

/** What some work answers, and how many rows of deliveries it looked at. */
const watched = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const looked = Effect.map(
    sql<{ readonly rows: number }>`SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
      WHERE schemaname = 'tc' AND relname = 'deliveries'`,
    ([found]) => found?.rows ?? 0,
  )
  const { before, answer, after } = yield* sql.withTransaction(
    Effect.all({ before: looked, answer: work, after: looked }),
  )
  return { answer, rows: after - before }
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a large backlog", (it) => {
  it.effect("is canceled by statements that end soon, in one transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account_id = yield* Fixture.account
      const endpoint = yield* Fixture.endpoint(account_id)
      yield* Fixture.asset(account_id)
      const due = "'due_at', t.due_at + greatest(0, n - 11000) * interval '1 second'"
      yield* repeat("deliveries", account_id, WAITING - 1, due)
      yield* watch
      yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
      const rows = yield* sql<{ readonly status: string; readonly count: number }>`
        SELECT status, count(*)::int AS count FROM tc.deliveries GROUP BY status`
      assert.deepStrictEqual(rows, [{ status: "canceled", count: WAITING }])
      const changes = yield* sql<{ readonly count: number }>`SELECT count FROM tc.changes`
      assert.isAtMost(Math.max(...changes.map(({ count }) => count)), 10_000)
    }),
  )

  it.effect("hides none of the endpoints that come after, however many there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account_id = yield* Fixture.account
      const endpoint = yield* Fixture.endpoint(account_id)
      yield* Fixture.asset(account_id)
      const [only] = yield* Fixture.deliveries(account_id)
      yield* repeat("webhook_endpoints", account_id, OTHERS, "'url', 'https://other.example'")
      yield* repeat("deliveries", account_id, 400, "'due_at', t.due_at - interval '1 hour'")
      yield* sql`
        INSERT INTO tc.deliveries SELECT (r).* FROM (
          SELECT jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'endpoint_id', e.id)) AS r
          FROM tc.deliveries d, tc.webhook_endpoints e
          WHERE d.account_id = ${account_id} AND d.id = ${only!.id} AND e.account_id = d.account_id AND e.id <> ${endpoint.id}
        ) AS more`
      const { claim } = yield* Deliveries
      const request = { limit: 64, per_endpoint: 1, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 60_000 }
      const claims = yield* Effect.replicateEffect(claim(request), 40)
      const reached = new Set(claims.flatMap(({ jobs }) => jobs.map(({ endpoint_id }) => endpoint_id)))
      assert.strictEqual(reached.size, OTHERS + 1)
    }),
  )
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("an account with a long past", (it) => {
  it.effect("is not looked through by a claim that sees no end of what is due", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const request = { limit: 8, per_endpoint: 8, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 60_000 }
      // From the sixth time on a connection has a plan for any values, made here while there was next to nothing.
      const claims = Effect.replicateEffect((yield* Deliveries).claim(request), 8)
      const work = Effect.gen(function* () {
        yield* claims
        const { account_id } = yield* backlogged(20_000, "'status', 'succeeded', 'due_at', null")
        for (let nth = 0; nth < 100; nth++) yield* Fixture.asset(account_id)
        return yield* watched(claims)
      })
      const { answer, rows } = yield* sql.withTransaction(work)
      assert.lengthOf(
        answer.flatMap(({ jobs }) => jobs),
        64,
      )
      assert.isBelow(rows, 10_000)
    }),
  )
})

/** A queue of endpoints with much to do, which was next to empty when the planner took its statistics. */
const sawEmpty = Effect.fnUntraced(function* (endpoints: number) {
  const sql = yield* SqlClient.SqlClient
  yield* backlogged(3_000, "'status', 'succeeded', 'due_at', null")
  yield* Queue.clear
  yield* sql`ANALYZE tc.deliveries`
  return yield* Effect.replicateEffect(backlogged(Math.ceil(3_000 / endpoints), "'attempt_count', 0"), endpoints)
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a queue that the planner saw empty", (it) => {
  const request = { limit: 8, per_endpoint: 8, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 60_000 }

  it.effect("is not read to its end by each claim when it has filled", () =>
    Effect.gen(function* () {
      const { claim } = yield* Deliveries
      yield* sawEmpty(1)
      const { answer, rows } = yield* watched(Effect.replicateEffect(claim(request), 8))
      assert.lengthOf(
        answer.flatMap(({ jobs }) => jobs),
        64,
      )
      assert.isBelow(rows, 2_000)
    }),
  )

  it.effect("is not read to its end by each probe when it has filled", () =>
    Effect.gen(function* () {
      const { probe } = yield* Deliveries
      const endpoints = (yield* sawEmpty(8)).map((endpoint) => ({ ...endpoint, ready: true }))
      const probes = Effect.replicateEffect(probe({ endpoints, max_bytes: 1e9, lease_ms: 60_000 }), 8)
      const { answer, rows } = yield* watched(probes)
      assert.lengthOf(answer.flat(), 64)
      assert.isBelow(rows, 2_000)
    }),
  )

  it.effect("is not read to its end where its endpoints get so many a second, when it has filled", () =>
    Effect.gen(function* () {
      const { claim } = yield* Deliveries
      const endpoints = yield* sawEmpty(8)
      const paced = ({ account_id, endpoint_id }: (typeof endpoints)[number]) =>
        Fixture.patchEndpoint(account_id, endpoint_id, { max_per_second: 10 })
      const changed = yield* watched(Effect.forEach(endpoints, paced))
      assert.isBelow(changed.rows, 20_000)
      const { answer, rows } = yield* watched(claim({ ...request, limit: 16 }))
      assert.lengthOf(answer.jobs, 8)
      assert.isBelow(rows, 2_000)
    }),
  )
})

/** Entries that some work reads in the two indexes of the queue, those of what is gone too. */
const entries = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const read = Effect.map(
    sql<{ readonly count: number }>`SELECT sum(pg_stat_get_xact_tuples_returned(i::regclass))::int AS count
      FROM unnest(ARRAY['tc.deliveries_first', 'tc.deliveries_again']) AS i`,
    ([found]) => found?.count ?? 0,
  )
  const { before, after } = yield* sql.withTransaction(Effect.all({ before: read, work, after: read }))
  return after - before
})

/** Does some work while another transaction holds a snapshot from before it. */
const underSnapshot = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const other = yield* (yield* SqlClient.SqlClient).reserve
      yield* other.executeUnprepared("BEGIN ISOLATION LEVEL REPEATABLE READ", [], undefined)
      yield* other.executeUnprepared("SELECT count(*) FROM tc.deliveries", [], undefined)
      return yield* Effect.ensuring(work, Effect.ignore(other.executeUnprepared("COMMIT", [], undefined)))
    }),
  )

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a queue under an old snapshot", (it) => {
  it.effect("is read from where the oldest was that waits, but for one claim each second", () =>
    Effect.gen(function* () {
      const { claim } = yield* Deliveries
      const { account_id } = yield* backlogged(3_000, "'attempt_count', n % 2")
      const request = { limit: 1_000, per_endpoint: 1_000, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 60_000 }
      const read = underSnapshot(
        Effect.gen(function* () {
          for (let nth = 0; nth < 3; nth++) yield* Queue.settle((yield* claim(request)).jobs, "succeeded")
          yield* Effect.sleep("1100 millis")
          const sweep = yield* entries(claim(request))
          const one = Effect.map(claim(request), ({ jobs }) => assert.lengthOf(jobs, 1))
          // On a slow machine it may be time for a sweep again, though not each time.
          const next = Effect.andThen(Fixture.asset(account_id), entries(one))
          const between = yield* Effect.repeat(next, { until: (read) => read < 50, times: 20 })
          return { sweep, between }
        }),
      )
      const { sweep, between } = yield* read
      assert.isAtLeast(sweep, 3_000)
      assert.isBelow(between, 50)
    }),
  )
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a backlog of saturated endpoints", (it) => {
  it.effect("is not looked through by a claim that wants none of it", () =>
    Effect.gen(function* () {
      const past = "'due_at', t.due_at - n * interval '1 second', 'attempt_count', n % 2"
      const saturated = yield* Effect.forEach([1, 2, 3], () => backlogged(10_000, past))
      yield* backlogged(10_000, "'due_at', t.due_at + interval '1 day', 'attempt_count', 1")
      const healthy = yield* Effect.forEach([1, 2, 3], () => backlogged(3, "'attempt_count', n % 2"))
      const request = { limit: 32, per_endpoint: 2, quick: [], max_bytes: 1e9, saturated, lease_ms: 60_000 }
      const { answer, rows } = yield* watched((yield* Deliveries).claim(request))
      const counts = Map.groupBy(answer.jobs, ({ endpoint_id }) => endpoint_id)
      assert.deepStrictEqual(
        healthy.map(({ endpoint_id }) => counts.get(endpoint_id)?.length),
        [2, 2, 2],
      )
      assert.isBelow(rows, 1_000)
    }),
  )
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)(
  "a backlog of endpoints that do not answer",
  (it) => {
    it.effect("is not looked through for a probe, nor counted to its end", () =>
      Effect.gen(function* () {
        const { probe, stats } = yield* Deliveries
        const due = "'due_at', t.due_at - n * interval '1 second', 'attempt_count'"
        const retries = yield* backlogged(30_000, `${due}, 1`)
        const firsts = yield* backlogged(30_000, `${due}, 0`)
        const endpoints = [retries, firsts].map((endpoint) => ({ ...endpoint, ready: true }))
        const probed = yield* watched(probe({ endpoints, max_bytes: 1e9, lease_ms: 60_000 }))
        assert.strictEqual(probed.answer.length, 2)
        assert.isBelow(probed.rows, 100)
        const counted = yield* watched(stats)
        assert.deepInclude(counted.answer, { due: 10_000, overdue: 10_000 })
        assert.isAtMost(counted.rows, 20_000)
      }),
    )
  },
)

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a backlog that waits its turn", (it) => {
  it.effect("is left to the process that decides who goes, while it does", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { claim } = yield* Deliveries
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.endpoint(account_id, { max_per_second: 1 })
      yield* Fixture.asset(account_id)
      const request = { limit: 32, per_endpoint: 32, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 60_000 }
      const deciding = Effect.gen(function* () {
        const other = yield* sql.reserve
        yield* other.executeUnprepared("BEGIN", [], undefined)
        yield* other.executeUnprepared(
          `SELECT 1 FROM tc.webhook_endpoints WHERE account_id = '${account_id}' AND id = '${id}' FOR NO KEY UPDATE`,
          [],
          undefined,
        )
        const { jobs, more } = yield* Effect.ensuring(
          claim(request),
          Effect.ignore(other.executeUnprepared("COMMIT", [], undefined)),
        )
        assert.deepStrictEqual([jobs, more], [[], true])
      })
      yield* Effect.scoped(deciding)
      assert.lengthOf((yield* claim(request)).jobs, 1)
    }),
  )

  it.effect("is neither looked through for those whose turn it is, nor in the way of what need not wait", () =>
    Effect.gen(function* () {
      const request = { limit: 32, per_endpoint: 32, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 60_000 }
      // Plans for any values, made while there is nothing.
      yield* Effect.replicateEffect((yield* Deliveries).claim(request), 12)
      const ordered = yield* backlogged(10_000, "'due_at', t.due_at - n * interval '1 second'")
      yield* Fixture.patchEndpoint(ordered.account_id, ordered.endpoint_id, { ordered: true })
      const paced = yield* backlogged(10_000, "'due_at', t.due_at - n * interval '1 second'")
      yield* Fixture.patchEndpoint(paced.account_id, paced.endpoint_id, { max_per_second: 20 })
      const free = yield* backlogged(3, "'attempt_count', 0")
      const { answer, rows } = yield* watched((yield* Deliveries).claim(request))
      const counts = Map.groupBy(answer.jobs, ({ endpoint_id }) => endpoint_id)
      assert.deepStrictEqual(
        [ordered, paced, free].map(({ endpoint_id }) => counts.get(endpoint_id)?.length),
        [1, 2, 3],
      )
      assert.isBelow(rows, 150)
    }),
  )
})
