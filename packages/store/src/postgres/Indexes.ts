/** Indexes that are made beside the writers. Everything works without them, only slower. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { resources } from "../Repositories.ts"
import { subject } from "./History.ts"

interface Index {
  readonly name: string
  /** What follows the name in the statement that makes it. */
  readonly definition: string
}

/** For `Probing`. A delivery that succeeds at once is in neither of them. */
const probing: ReadonlyArray<Index> = [
  { name: "deliveries_asked", definition: "ON tc.deliveries (due_at) WHERE due_at IS NOT NULL AND asked" },
  {
    name: "deliveries_again_open",
    definition: "ON tc.deliveries (account_id, endpoint_id, id) WHERE due_at IS NOT NULL AND retry",
  },
]

/**
 * For `History`: which parts of the table may have events of a record. A write adds nothing to it: the autovacuum sums up what is
 * new, a range of pages as it is full. An index with an entry for each event would cost every write.
 */
const telling: ReadonlyArray<Index> = [
  {
    name: "events_subject",
    definition: `ON tc.events USING brin (occurred_at, (${subject}) text_bloom_ops) WITH (autosummarize = on)`,
  },
]

/** Trigrams for `q`, where the database can have them. */
const searching = resources.map(({ path, search }): Index => ({
  name: `${path}_search`,
  definition: `ON tc.${path} USING gin (account_id, tc.fold(${search}) gin_trgm_ops)`,
}))

/** What trigrams take. */
const extensions = ["pg_trgm", "btree_gin"]
/** Names the advisory lock of the one session that builds. */
const LOCK = 7_463_210_002

/** How long another transaction may keep us from building; the next start tries again. */
const LOCK_TIMEOUT = "5s"

/** Runs a statement, on whatever connection. */
type Run = (text: string) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

const names = (run: Run, text: string) =>
  Effect.map(run(text), (rows) => new Set(rows.map((row) => (row as { readonly name: string }).name)))

/** Of these indexes, those that cannot be used. One whose making was cut short is there, but invalid. */
const missing = (run: Run, indexes: ReadonlyArray<Index>) =>
  Effect.map(
    names(
      run,
      `SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
      WHERE c.relnamespace = to_regnamespace('tc') AND i.indisvalid`,
    ),
    (valid) => indexes.filter(({ name }) => !valid.has(name)),
  )

/** The extensions that are not among those of a query. */
const lacking = (run: Run, text: string) =>
  Effect.map(names(run, text), (found) => extensions.filter((name) => !found.has(name)))

/**
 * On a connection of its own: writers go on while an index is made so, and it can be no part of a transaction. Whoever does
 * not get the lock leaves it to its holder; waiting for it in a statement would make the holder wait for that statement.
 */
const build = Effect.fnUntraced(function* (indexes: ReadonlyArray<Index>, needed: ReadonlyArray<string>) {
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
  for (const extension of needed) yield* run(`CREATE EXTENSION IF NOT EXISTS ${extension}`)
  for (const { name, definition } of yield* missing(run, indexes)) {
    yield* run(`DROP INDEX CONCURRENTLY IF EXISTS tc.${name}`)
    yield* run(`CREATE INDEX CONCURRENTLY ${name} ${definition}`)
  }
})

/** Makes those of the indexes that are missing; where it cannot, a later start tries again. */
const make = (indexes: ReadonlyArray<Index>, needed: ReadonlyArray<string>, without: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if ((yield* missing(sql.unsafe, indexes)).length === 0) return
    const available = "SELECT name FROM pg_available_extensions"
    if (needed.length > 0 && (yield* lacking(sql.unsafe, available)).length > 0) return
    const absent = needed.length > 0 ? yield* lacking(sql.unsafe, "SELECT extname AS name FROM pg_extension") : []
    yield* Effect.scoped(build(indexes, absent)).pipe(Effect.catch((error) => Effect.logWarning(without, error)))
  })

/**
 * Makes the indexes that are missing. The extensions may not be installed, or the user may not be allowed to add them:
 * then nothing is made that takes them.
 */
export const ensure = Effect.all(
  [
    make(probing, [], "looking for deliveries to endpoints that do not answer without an index"),
    make(telling, [], "looking for the events of a record without an index"),
    make(searching, extensions, "searching without trigram indexes"),
  ],
  { discard: true },
)
