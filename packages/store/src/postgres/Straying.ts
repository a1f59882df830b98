/** Deliveries whose endpoint was changed while they were on their way into the queue. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Job } from "../Deliveries.ts"
import { positionOf } from "./Gates.ts"

const text = `
  UPDATE tc.deliveries d SET lease = NULL, lease_until = NULL, updated_at = $1, position = ${positionOf("d")},
    status = CASE WHEN e.id IS NULL THEN 'canceled' ELSE 'pending' END,
    due_at = CASE WHEN e.id IS NOT NULL THEN $1::timestamptz END
  FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS g (account_id, id, endpoint_id)
  LEFT JOIN tc.webhook_endpoints e ON e.account_id = g.account_id AND e.id = g.endpoint_id AND e.status = 'active'
  WHERE d.account_id = g.account_id AND d.id = g.id AND d.lease = $5`

/** Cancels those, leased a moment ago, whose endpoint is not active any more; the others wait their turn from now on. */
export const putRight = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobs: ReadonlyArray<Pick<Job, "account_id" | "id" | "endpoint_id">>,
  lease: string,
  now: string,
) {
  if (jobs.length === 0) return
  const columns = [
    jobs.map(({ account_id }) => account_id),
    jobs.map(({ id }) => id),
    jobs.map(({ endpoint_id }) => endpoint_id),
  ]
  yield* sql.unsafe(text, [now, ...columns, lease])
})
