/** Removes rows that are over, as many as there are, by statements that each end soon. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Rows removed by one statement. */
const BATCH = 1_000

/** What somebody else holds just now is left to a later run: nobody waits, and so nobody waits in a circle. */
const textOf = (table: string, key: string, condition: string) => `
  WITH over AS MATERIALIZED (
    SELECT ${key} FROM tc.${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  )
  DELETE FROM tc.${table} WHERE (${key}) IN (SELECT ${key} FROM over) RETURNING 1`

/** Answers how many there were. `key` are the columns of the primary key. */
export const prune = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  key: string,
  condition: string,
  params: ReadonlyArray<unknown>,
) {
  const text = textOf(table, key, condition)
  for (let removed = 0; ;) {
    const { length } = yield* sql.unsafe(text, params)
    removed += length
    if (length < BATCH) return removed
  }
})
