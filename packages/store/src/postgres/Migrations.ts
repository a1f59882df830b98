/** The schema, brought forward: each migration runs once, in order, also when several processes start together. */
import { Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import * as Indexes from "./Indexes.ts"
import * as Initial from "./migrations/0001_initial.ts"
import * as Gates from "./migrations/0002_gates.ts"
import * as Asked from "./migrations/0003_asked.ts"
import * as Rotation from "./migrations/0004_rotation.ts"
import * as Handovers from "./migrations/0005_handovers.ts"
import * as Recoveries from "./migrations/0006_recoveries.ts"
import * as Positions from "./migrations/0007_positions.ts"
import * as Accounts from "./migrations/0008_accounts.ts"
import * as People from "./migrations/0009_people.ts"
import * as AuditAge from "./migrations/0010_audit_age.ts"
import * as Tallies from "./migrations/0011_tallies.ts"
import * as PasswordResets from "./migrations/0012_password_resets.ts"
import * as FormerSettings from "./migrations/0013_former_settings.ts"
import * as Lists from "./migrations/0014_lists.ts"

/** All tables live in this schema, apart from those of a program that shares the database. */
const SCHEMA = "tc"
/** Names the advisory lock that lets one process migrate at a time. */
const LOCK = 7_463_210_001

const all = (statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const statement of statements) yield* sql.unsafe(statement)
  })

const migrations = {
  "0001_initial": all(Initial.statements),
  "0002_gates": all(Gates.statements),
  "0003_asked": all(Asked.statements),
  "0004_rotation": all(Rotation.statements),
  "0005_handovers": all(Handovers.statements),
  "0006_recoveries": all(Recoveries.statements),
  "0007_positions": all(Positions.statements),
  "0008_accounts": all(Accounts.statements),
  "0009_people": all(People.statements),
  "0010_audit_age": all(AuditAge.statements),
  "0011_tallies": all(Tallies.statements),
  "0012_password_resets": all(PasswordResets.statements),
  "0013_former_settings": all(FormerSettings.statements),
  "0014_lists": all(Lists.statements),
}
const loader = Migrator.fromRecord(migrations)

/** Whether the catalogue of the database, which anybody may read, has this schema or this table in it. */
const has = (sql: SqlClient.SqlClient, table?: string) =>
  Effect.map(
    table === undefined
      ? sql`SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ${SCHEMA}`
      : sql`SELECT 1 FROM pg_catalog.pg_class WHERE relname = ${table} AND relnamespace = to_regnamespace(${SCHEMA})`,
    ({ length }) => length > 0,
  )

/** Whether every migration has run. It only reads: a user who may do no more can start on a schema that is up to date. */
const isCurrent = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (!(yield* has(sql, "migrations"))) return false
  const [latest] = yield* sql<{ readonly id: number | null }>`
    SELECT max(migration_id) AS id FROM ${sql(SCHEMA)}.migrations`
  return Object.keys(migrations).every((name) => Number.parseInt(name) <= (latest?.id ?? 0))
})

const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`
  // CREATE SCHEMA IF NOT EXISTS wants the privilege before it looks.
  if (!(yield* has(sql))) yield* sql`CREATE SCHEMA ${sql(SCHEMA)}`
  return yield* Migrator.make({})({ loader, table: `${SCHEMA}.migrations` })
})

const isForbidden = (error: Migrator.MigrationError | SqlError.SqlError): boolean => {
  const cause = error._tag === "MigrationError" ? error.cause : error
  return (cause as SqlError.SqlError | undefined)?.reason?._tag === "AuthorizationError"
}

const forbidden = (cause: Migrator.MigrationError | SqlError.SqlError) =>
  new Migrator.MigrationError({
    kind: "Failed",
    cause,
    message: `The schema "${SCHEMA}" is not up to date, and the database user may not bring it forward: that takes a user who may CREATE in the database, or who owns the schema. Migrate as such a user; to serve takes only USAGE on the schema and SELECT, INSERT, UPDATE and DELETE on its tables.`,
  })

/** Runs what has not run yet and answers its names. Forward only. Where nothing has to be done it takes no lock. */
export const run = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const done = (yield* isCurrent(sql))
    ? []
    : yield* sql
        .withTransaction(migrate)
        .pipe(Effect.mapError((error) => (isForbidden(error) ? forbidden(error) : error)))
  yield* Indexes.ensure
  return done.map(([id, name]) => `${String(id).padStart(4, "0")}_${name}`)
})
