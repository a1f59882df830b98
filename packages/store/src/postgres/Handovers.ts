/** Deliveries born under a lease: remembered by the batch, and put into the queue if their lease ends before they do. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Deliveries that one statement looks at, beyond those of its first batch. */
const LOOK_MAX = 10_000
/** Batches that it looks at. */
const BATCHES_MAX = 500

/** In the statement that gives birth: `born` has the deliveries, `lease` and `until` are what they are born under. */
export const remember = (born: string, lease: string, until: string): string => `
  INSERT INTO tc.handovers (account_id, id, lease, lease_until, deliveries)
  SELECT account_id, gen_random_uuid(), ${lease}::text, ${until}::timestamptz, array_agg(id) FROM ${born}
  WHERE ${lease}::text IS NOT NULL GROUP BY account_id`

// From then on they are due as any delivery whose lease is over. Nearly all have ended long since, and nothing is written.
const text = `
  WITH ended AS MATERIALIZED (
    SELECT account_id, id, lease, lease_until, deliveries FROM tc.handovers
    WHERE lease_until <= $1 ORDER BY lease_until LIMIT ${BATCHES_MAX} FOR UPDATE SKIP LOCKED
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
  )
  SELECT count(*)::int AS count, (SELECT count(*)::int FROM ended) AS ended FROM looked`

/** When the next lease ends under which something was born, ended or not, as an expression. */
export const soonest =
  "(SELECT lease_until AS due_at FROM tc.handovers WHERE lease_until > $1 ORDER BY lease_until LIMIT 1)"

/** Part of a transaction. Puts what is left of all leases that are over into the queue. */
export const reclaim = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  now: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  for (;;) {
    const [done] = yield* sql.unsafe<{ readonly count: number; readonly ended: number }>(text, [now])
    if (done!.count === done!.ended && done!.ended < BATCHES_MAX) return
  }
})
