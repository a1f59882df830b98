/** Keeps PostgreSQL from plans that were good when they were made. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Does something in a transaction in which the planner has these settings. */
const under = (settings: Readonly<Record<string, string>>) => {
  const values = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  const text = `SELECT ${values.join(", ")}`
  return <A, E>(
    sql: SqlClient.SqlClient,
    effect: Effect.Effect<A, E | SqlError.SqlError>,
  ): Effect.Effect<A, E | SqlError.SqlError> => sql.withTransaction(Effect.andThen(sql.unsafe(text), effect))
}

const noScan = { enable_seqscan: "off", enable_bitmapscan: "off" }
const noJoin = { enable_hashjoin: "off", enable_mergejoin: "off" }

/**
 * Rows are found by primary key, one by one. A prepared statement that was planned while its table was small reads all of
 * it instead, and goes on to while the table grows, until the next ANALYZE.
 */
export const byKey = under({ ...noScan, ...noJoin })

/** Plans for the values at hand: a generic plan cannot know whether a search term is rare. */
export const anew = under({ plan_cache_mode: "force_custom_plan" })

/** Rows are read off an index, in its order and no more than are wanted, also while the planner knows nothing of the table. */
export const inOrder = under({ ...noScan, enable_sort: "off" })

/**
 * Both: the first rows of an index, and others by their keys. With one plan for all values, so that what is measured is what
 * runs, and because to plan for those at hand can take as long as to run.
 */
export const byKeyInOrder = under({
  ...noScan,
  ...noJoin,
  enable_sort: "off",
  plan_cache_mode: "force_generic_plan",
})
