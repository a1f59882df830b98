/** Trigram indexes for `q`, where the database can have them. Search works without them, only slower. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { resources } from "../Repositories.ts"

const extensions = ["pg_trgm", "btree_gin"]
/** Names the advisory lock of the one session that builds. */
const LOCK = 7_463_210_002

/** How long another transaction may keep us from building; the next start tries again. */
const LOCK_TIMEOUT = "5s"

/** Runs a statement, on whatever connection. */
type Run = (text: string) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

const names = (run: Run, text: string) =>
  Effect.map(run(text), (rows) => new Set(rows.map((row) => (row as { readonly name: string }).name)))

/** Of the resources, those without an index that can be used. One whose making was cut short is there, but invalid. */
const missing = (run: Run) =>
  Effect.map(
    names(
      run,
      `SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
      WHERE c.relnamespace = to_regnamespace('tc') AND i.indisvalid`,
    ),
    (valid) => resources.filter(({ path }) => !valid.has(`${path}_search`)),
  )

/** The extensions that are not among those of a query. */
const lacking = (run: Run, text: string) =>
  Effect.map(names(run, text), (found) => extensions.filter((name) => !found.has(name)))

/**
 * On a connection of its own: writers go on while an index is made so, and it can be no part of a transaction. Whoever does
 * not get the lock leaves it to its holder; waiting for it in a statement would make the holder wait for that statement.
 */
const build = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const run: Run = (text) => connection.executeUnprepared(text, [], undefined)
  const [lock] = yield* run(`SELECT pg_try_advisory_lock(${LOCK}) AS taken`)
  if (!(lock as { readonly taken: boolean }).taken) return
  yield* Effect.addFinalizer(() =>
    Effect.ignore(Effect.andThen(run("RESET lock_timeout"), run(`SELECT pg_advisory_unlock(${LOCK})`))),
  )
  // It waits for every transaction that began before: a dump, or one that was forgotten.
  yield* run(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
  for (const extension of yield* lacking(run, "SELECT extname AS name FROM pg_extension")) {
    yield* run(`CREATE EXTENSION IF NOT EXISTS ${extension}`)
  }
  for (const { path, search } of yield* missing(run)) {
    yield* run(`DROP INDEX CONCURRENTLY IF EXISTS tc.${path}_search`)
    yield* run(
      `CREATE INDEX CONCURRENTLY ${path}_search ON tc.${path} USING gin (account_id, tc.fold(${search}) gin_trgm_ops)`,
    )
  }
})

/**
 * Makes the indexes that are missing. The extensions may not be installed, or the user may not be allowed to add them:
 * then nothing is made, and a later start tries again.
 */
export const ensure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if ((yield* missing(sql.unsafe)).length === 0) return
  if ((yield* lacking(sql.unsafe, "SELECT name FROM pg_available_extensions")).length > 0) return
  yield* Effect.scoped(build).pipe(
    Effect.catch((error) => Effect.logWarning("searching without trigram indexes", error)),
  )
})
