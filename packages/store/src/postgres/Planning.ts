/** Keeps PostgreSQL from plans that were good when they were made. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/**
 * Rows are found by primary key, one by one. A prepared statement that was planned while its table was small reads all of
 * it instead, and goes on to while the table grows, until the next ANALYZE.
 */
export const byKey = <A, E>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E | SqlError.SqlError>,
): Effect.Effect<A, E | SqlError.SqlError> =>
  sql.withTransaction(
    Effect.andThen(
      sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
      effect,
    ),
  )

/** Plans for the values at hand: a generic plan cannot know whether a search term is rare. */
export const anew = <A, E>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E | SqlError.SqlError>,
): Effect.Effect<A, E | SqlError.SqlError> =>
  sql.withTransaction(Effect.andThen(sql`SELECT set_config('plan_cache_mode', 'force_custom_plan', true)`, effect))

/** Rows are read off an index, in its order and no more than are wanted, also while the planner knows nothing of the table. */
export const inOrder = <A, E>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E | SqlError.SqlError>,
): Effect.Effect<A, E | SqlError.SqlError> =>
  sql.withTransaction(
    Effect.andThen(
      sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`,
      effect,
    ),
  )
