/** Deliveries under lease, born so or claimed: remembered by the batch, and put into the queue if it ends before they do. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Watermark } from "./Watermark.ts"

/** Deliveries that one statement looks at, beyond those of its first batch. */
const LOOK_MAX = 10_000
/** Batches that it looks at. */
const BATCHES_MAX = 500

/** In the statement that leases: `held` has the deliveries, `lease` and `until` are what they are under. */
export const remember = (held: string, lease: string, until: string): string => `
  INSERT INTO tc.handovers (account_id, id, lease, lease_until, deliveries)
  SELECT account_id, gen_random_uuid(), ${lease}::text, ${until}::timestamptz, array_agg(id) FROM ${held}
  WHERE ${lease}::text IS NOT NULL GROUP BY account_id`

// From then on they are due as any delivery whose lease is over. Nearly all have ended long since, and nothing is written.
const text = `
  WITH ended AS MATERIALIZED (
    SELECT account_id, id, lease, lease_until, deliveries FROM tc.handovers
    WHERE lease_until >= $2 AND lease_until <= $1 ORDER BY lease_until LIMIT ${BATCHES_MAX} FOR UPDATE SKIP LOCKED
  ), looked AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, sum(cardinality(deliveries)) OVER (ORDER BY lease_until, account_id, id) - cardinality(deliveries) AS before
      FROM ended
    ) AS e WHERE before < ${LOOK_MAX}
  ), forgotten AS (
    DELETE FROM tc.handovers h USING looked l WHERE h.account_id = l.account_id AND h.id = l.id
  ), left_over AS (
    UPDATE tc.deliveries d SET due_at = l.lease_until, lease_until = NULL
    FROM (SELECT account_id, lease, lease_until, unnest(deliveries) AS id FROM looked) AS l
    WHERE d.account_id = l.account_id AND d.id = l.id AND d.lease = l.lease AND d.due_at IS NULL
    RETURNING d.due_at
  )
  SELECT count(*)::int AS count, (SELECT count(*)::int FROM ended) AS ended, (SELECT min(due_at) FROM left_over) AS oldest
  FROM looked`

interface Reclaimed {
  /** Leases that were looked at, and those that were over. */
  readonly count: number
  readonly ended: number
  /** When the first of them ended under which something was left. */
  readonly oldest: Date | null
}

/** When the next lease ends but for that of a name, ended or not what was under it, as an expression. */
export const soonest =
  "(SELECT lease_until FROM tc.handovers WHERE lease_until > $1 AND lease <> $2 ORDER BY lease_until LIMIT 1)"

/** Part of a transaction. Puts what is left of all leases that are over into the queue. */
export const reclaim = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  watermark: Watermark,
  millis: number,
): Effect.fn.Return<void, SqlError.SqlError> {
  const params = [new Date(millis).toISOString(), watermark.at(millis).lease]
  for (;;) {
    const [done] = yield* sql.unsafe<Reclaimed>(text, params)
    if (done!.oldest !== null) watermark.add(done!.oldest.getTime())
    if (done!.count === done!.ended && done!.ended < BATCHES_MAX) return
  }
})
