/** The schema, brought forward: each migration runs once, in order, also when several processes start together. */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as SearchIndexes from "./SearchIndexes.ts"
import * as Initial from "./migrations/0001_initial.ts"

/** All tables live in this schema, apart from those of a program that shares the database. */
const SCHEMA = "tc"
/** Names the advisory lock that lets one process migrate at a time. */
const LOCK = 7_463_210_001

const all = (statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const statement of statements) yield* sql.unsafe(statement)
  })

const loader = Migrator.fromRecord({ "0001_initial": all(Initial.statements) })

/** Runs what has not run yet and answers its names. Forward only. */
export const run = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const done = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`
      yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(SCHEMA)}`
      return yield* Migrator.make({})({ loader, table: `${SCHEMA}.migrations` })
    }),
  )
  yield* SearchIndexes.ensure
  return done.map(([id, name]) => `${String(id).padStart(4, "0")}_${name}`)
})
