/** What a change of an endpoint, or its removal, means for the deliveries it still had to get. */
import { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isOutdated } from "../Endings.ts"
import { Notices } from "./Notices.ts"
import * as Planning from "./Planning.ts"

type Row = WebhookEndpoint.WebhookEndpoint

/** Deliveries canceled by one statement: a statement may take so long, and a dead endpoint may have millions. */
const BATCH = 10_000

/** Those of an endpoint that come next, from a time on, in the order of their index. */
const text = `
  WITH next AS MATERIALIZED (
    SELECT account_id, id, due_at FROM tc.deliveries
    WHERE account_id = $1 AND endpoint_id = $2 AND due_at >= $4::timestamptz AND status = 'pending'
    ORDER BY due_at LIMIT ${BATCH}
  ), canceled AS (
    UPDATE tc.deliveries d SET status = 'canceled', due_at = NULL, updated_at = $3
    FROM next n WHERE d.account_id = n.account_id AND d.id = n.id AND d.status = 'pending'
  )
  SELECT count(*)::int AS count, max(due_at)::text AS last FROM next`

interface Batch {
  readonly count: number
  /** When the last of them was due, as PostgreSQL writes it; null where there was none. */
  readonly last: string | null
}

/**
 * What happens in the transaction that changes or (null) removes an endpoint: the row is locked and written already. Its
 * pending deliveries are canceled when it stops being active, and its recovery; those under lease are left to their worker.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const notices = yield* Notices

  const cancel = Effect.fnUntraced(function* (account_id: string, endpoint_id: string, now: string) {
    let last = "-infinity"
    for (let isLast = false; !isLast;) {
      const [batch] = yield* sql.unsafe<Batch>(text, [account_id, endpoint_id, now, last])
      isLast = batch!.count < BATCH
      last = batch!.last ?? last
    }
  })

  return Effect.fnUntraced(function* (
    before: Row,
    after: Row | null,
    now: string,
  ): Effect.fn.Return<void, SqlError.SqlError> {
    const { account_id, id: endpoint_id } = before
    if (before.status === "active" && after?.status !== "active") {
      yield* Planning.byKey(sql, cancel(account_id, endpoint_id, now))
      yield* sql`
        UPDATE tc.recoveries SET status = 'canceled', due_at = NULL, lease = NULL, updated_at = ${now}, completed_at = ${now}
        WHERE account_id = ${account_id} AND endpoint_id = ${endpoint_id} AND due_at IS NOT NULL`
    }
    if (isOutdated(before, after)) {
      yield* sql.afterCommit(Effect.sync(() => notices.recall({ account_id, endpoint_id })))
    }
  })
})
