/** Trigram indexes for `q`, where the database can have them. Search works without them, only slower. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { resources } from "../Repositories.ts"

const extensions = ["pg_trgm", "btree_gin"]

/**
 * Makes the indexes that are missing. The extensions may not be installed, or the user may not be allowed to add them:
 * then nothing is made, and a later start tries again.
 */
export const ensure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const build = Effect.gen(function* () {
    for (const name of extensions) yield* sql`CREATE EXTENSION IF NOT EXISTS ${sql(name)}`
    for (const { path, search } of resources) {
      yield* sql`CREATE INDEX IF NOT EXISTS ${sql(`${path}_search`)}
        ON tc.${sql(path)} USING gin (account_id, tc.fold(${sql(search)}) gin_trgm_ops)`
    }
  })
  const available = yield* sql<{ n: number }>`
    SELECT count(*)::int AS n FROM pg_available_extensions WHERE ${sql.in("name", extensions)}`
  if (available[0]?.n !== extensions.length) return
  // Even to find that an index is there, making it would wait for all who write to its table.
  const made = yield* sql`SELECT 1 FROM pg_indexes WHERE schemaname = 'tc' AND ${sql.in(
    "indexname",
    resources.map(({ path }) => `${path}_search`),
  )}`
  if (made.length === resources.length) return
  yield* sql
    .withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(7463210002)`, build))
    .pipe(Effect.catch((error) => Effect.logWarning("searching without trigram indexes", error)))
})
