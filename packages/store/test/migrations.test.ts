import { assert, it } from "@effect/vitest"
import { WebhookEndpoint } from "@tc/domain"
import { Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerPostgres, migrate } from "../src/postgres/index.ts"
import * as Migration from "../src/postgres/migrations/0013_former_settings.ts"
import { WebhookEndpoints } from "../src/Repository.ts"
import * as FormerSettings from "../src/testing/FormerSettings.ts"
import * as Queue from "../src/testing/Queue.ts"
import { Recorder } from "../src/testing/Recorder.ts"
import * as Beside from "./Beside.ts"
import * as Database from "./Database.ts"

const live = { excludeTestServices: true }

const count = (condition: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.unsafe(
      `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = to_regnamespace('tc') AND c.relname LIKE '%\\_search' AND ${condition}`,
    )
    return rows.length
  })

/** How many search indexes this PostgreSQL can have: it may lack the extensions. */
const possible = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 FROM pg_available_extensions WHERE name IN ('pg_trgm', 'btree_gin')`
  return rows.length === 2 ? 7 : 0
})

/** Whether an index is in the making and waits for somebody. */
const waits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX%'`
  return rows.length > 0
})

/** Does something while a transaction that has run these statements is open. */
const beside = <A, E, R>(statements: ReadonlyArray<string>, work: Effect.Effect<A, E, R>) => {
  const run = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
  )
  return Beside.beside(run, work)
}

/** Migrates as a user who may do no more than this. */
const migrateAs = (grants: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const user = `user_${crypto.randomUUID().replaceAll("-", "")}`
    yield* sql.unsafe(`CREATE ROLE ${user}`)
    yield* sql.unsafe(`GRANT ${user} TO CURRENT_USER`)
    for (const grant of grants) yield* sql.unsafe(`GRANT ${grant} TO ${user}`)
    return yield* Effect.andThen(sql.unsafe(`SET LOCAL ROLE ${user}`), migrate).pipe(
      sql.withTransaction,
      Effect.ensuring(
        Effect.orDie(Effect.andThen(sql.unsafe(`DROP OWNED BY ${user}`), sql.unsafe(`DROP ROLE ${user}`))),
      ),
    )
  })

it.layer(Database.layer(Effect.void), live)("migrations of an empty database", (it) => {
  it.effect("say what a user lacks who may not run them", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(migrateAs([]))
      assert.include(error.message, "CREATE in the database")
    }),
  )

  it.effect("run once when several processes start together", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.all(
        Array.from({ length: 5 }, () => migrate),
        { concurrency: "unbounded" },
      )
      const sql = yield* SqlClient.SqlClient
      const kept = yield* sql<{ readonly migration_id: number; readonly name: string }>`
        SELECT migration_id, name FROM tc.migrations ORDER BY migration_id`
      const names = kept.map(({ migration_id, name }) => `${String(migration_id).padStart(4, "0")}_${name}`)
      assert.strictEqual(names[0], "0001_initial")
      assert.deepStrictEqual(runs.flat(), names)
      assert.deepStrictEqual(yield* migrate, [])
      assert.strictEqual(yield* count("indisvalid"), yield* possible)
    }),
  )
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Recorder.layerHandoff), Layer.provideMerge(Database.layer())), live)(
  "a migration of a database with data",
  (it) => {
    it.effect(
      "keeps former settings from then on; attempts made before were sent with what has not been changed since",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { endpoint, job } = yield* FormerSettings.begin
          yield* FormerSettings.attempted(job, { retry_at: yield* Queue.at(-1) })
          // As it was: without the table, and attempts without a mark.
          yield* sql`DROP TABLE tc.former_settings`
          yield* sql`UPDATE tc.attempts SET started_at = date_trunc('milliseconds', started_at)`
          for (const statement of Migration.statements) yield* sql.unsafe(statement)

          const { url, secret } = endpoint
          assert.deepStrictEqual(yield* FormerSettings.sentWith(job), [{ url, secret }])
          const after = yield* FormerSettings.moved(endpoint)
          for (const again of yield* Queue.claim()) yield* FormerSettings.attempted(again)
          assert.deepStrictEqual(yield* FormerSettings.sentWith(job), [
            { url, secret },
            { url: after.url, secret },
          ])
        }),
    )

    it.effect("knows nothing of what signed attempts before a rotation that was not kept", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { endpoint, job } = yield* FormerSettings.begin
        yield* FormerSettings.attempted(job)
        // In another millisecond than the attempt, which is told by its time alone here.
        yield* Effect.sleep("4 millis")
        yield* (yield* WebhookEndpoints).modify(endpoint.account_id, endpoint.id, WebhookEndpoint.rotate("second", 60))
        yield* sql`DELETE FROM tc.former_settings`
        yield* sql`UPDATE tc.attempts SET started_at = date_trunc('milliseconds', started_at)`
        assert.deepStrictEqual(yield* FormerSettings.sentWith(job), [null])
      }),
    )
  },
)

it.layer(Database.layer(), live)("migrations", (it) => {
  it.effect("give every table account_id in its primary key", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly table_name: string; readonly columns: ReadonlyArray<string> }>`
        SELECT t.table_name, array_agg(k.column_name::text) AS columns
        FROM information_schema.tables t
        JOIN information_schema.table_constraints c USING (table_schema, table_name)
        JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name)
        WHERE t.table_schema = 'tc' AND c.constraint_type = 'PRIMARY KEY' GROUP BY t.table_name`
      const without = tables
        .filter(({ columns }) => !columns.includes("account_id"))
        .map(({ table_name }) => table_name)
      assert.deepStrictEqual(without.toSorted(), ["accounts", "migrations", "throttles"])
    }),
  )

  it.effect("make trigram indexes where the extensions are available", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* count("indisvalid"), yield* possible)
    }),
  )

  it.effect(
    "make the indexes that look for what an endpoint gets to show that it answers, and again if they are gone",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const names = ["deliveries_again_open", "deliveries_asked"]
        const made = sql<{ readonly indexname: string }>`
        SELECT indexname FROM pg_indexes WHERE schemaname = 'tc' AND indexname IN ${sql.in(names)} ORDER BY indexname`
        const has = Effect.map(made, (rows) => rows.map(({ indexname }) => indexname))
        assert.deepStrictEqual(yield* has, names)
        for (const name of names) yield* sql.unsafe(`DROP INDEX tc.${name}`)
        yield* migrate
        assert.deepStrictEqual(yield* has, names)
      }),
  )

  it.effect("ask for nothing but reading where nothing has to be done", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* migrateAs(["USAGE ON SCHEMA tc", "SELECT ON tc.migrations"]), [])
    }),
  )

  it.effect("wait for nobody where nothing has to be done", () =>
    Effect.gen(function* () {
      const busy = [
        "LOCK TABLE tc.stores, tc.designs, tc.migrations IN EXCLUSIVE MODE",
        "SELECT pg_advisory_xact_lock(7463210001), pg_advisory_xact_lock(7463210002)",
      ]
      assert.deepStrictEqual(yield* beside(busy, migrate), [])
    }),
  )

  it.effect("make a search index anew whose making was cut short", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP INDEX IF EXISTS tc.stores_search`
      const failing = "1 / (migration_id - migration_id)"
      const cut = yield* Effect.exit(
        sql.unsafe(`CREATE INDEX CONCURRENTLY stores_search ON tc.migrations ((${failing}))`),
      )
      assert.isTrue(Exit.isFailure(cut))
      assert.strictEqual(yield* count("NOT indisvalid"), 1)
      yield* migrate
      assert.strictEqual(yield* count("indisvalid"), yield* possible)
    }),
  )

  it.effect("let writers go on while a search index is made", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rename = "UPDATE tc.stores SET name = name"
      yield* sql`DROP INDEX IF EXISTS tc.stores_search`
      const making = yield* beside(
        [rename],
        Effect.gen(function* () {
          const making = yield* Effect.forkDetach(migrate)
          // The index has to wait for the writer beside; the next writer must not have to wait for the index.
          if ((yield* possible) > 0) yield* Effect.repeat(waits, { while: (waits) => !waits })
          yield* sql.unsafe(rename)
          return making
        }),
      )
      yield* Fiber.join(making)
      assert.strictEqual(yield* count("indisvalid"), yield* possible)
    }),
  )

  it.effect(
    "do without a search index where somebody's transaction does not end, and make it the next time",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP INDEX IF EXISTS tc.stores_search`
        const snapshot = ["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "SELECT 1 FROM tc.stores"]
        assert.deepStrictEqual(yield* beside(snapshot, migrate), [])
        assert.strictEqual(yield* count("indisvalid"), Math.max(0, (yield* possible) - 1))
        yield* migrate
        assert.strictEqual(yield* count("indisvalid"), yield* possible)
      }),
    240_000,
  )
})
