/** What a change of an endpoint, or its removal, means for the deliveries it still had to get. */
import { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isOutdated } from "../Endings.ts"
import { isRegated } from "../Gate.ts"
import { regated } from "./Gates.ts"
import * as Leasing from "./Leasing.ts"
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
  SELECT count(*)::int AS count, max(due_at)::text AS last, NULL AS id FROM next`

/** Gives those of an endpoint that come next their turn, as it is after a change. What is under lease is done first. */
const regateText = `
  WITH next AS MATERIALIZED (
    SELECT account_id, id, endpoint_id, due_at FROM tc.deliveries
    WHERE account_id = $1 AND endpoint_id = $2 AND due_at IS NOT NULL AND due_at >= $3::timestamptz
      AND (due_at, id) > ($3::timestamptz, $4::uuid)
    ORDER BY due_at, id LIMIT ${BATCH}
  ), regated AS (
    UPDATE tc.deliveries d SET position = ${regated("d")}
    FROM next n JOIN tc.webhook_endpoints e ON e.account_id = n.account_id AND e.id = n.endpoint_id
    WHERE d.account_id = n.account_id AND d.id = n.id AND ${Leasing.isOpen("d")}
  )
  SELECT count(*)::int AS count, (array_agg(due_at::text ORDER BY due_at DESC, id DESC))[1] AS last,
    (array_agg(id ORDER BY due_at DESC, id DESC))[1] AS id FROM next`

/** What is under the lease that it was born under is put into the queue, where its turn is seen. */
const queueText = `
  UPDATE tc.deliveries d SET due_at = d.lease_until, lease_until = NULL
  FROM (SELECT account_id, unnest(deliveries) AS id FROM tc.handovers WHERE account_id = $1) AS h
  WHERE d.account_id = h.account_id AND d.id = h.id AND d.endpoint_id = $2
    AND d.status = 'delivering' AND d.due_at IS NULL`

interface Batch {
  readonly count: number
  /** When the last of them was due, as PostgreSQL writes it; null where there was none. */
  readonly last: string | null
  readonly id: string | null
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

  const regate = Effect.fnUntraced(function* (account_id: string, endpoint_id: string) {
    yield* sql`UPDATE tc.webhook_endpoints SET current = NULL WHERE account_id = ${account_id} AND id = ${endpoint_id}`
    yield* sql.unsafe(queueText, [account_id, endpoint_id])
    let [last, id] = ["-infinity", "00000000-0000-0000-0000-000000000000"]
    for (let isLast = false; !isLast;) {
      const [batch] = yield* sql.unsafe<Batch>(regateText, [account_id, endpoint_id, last, id])
      isLast = batch!.count < BATCH
      last = batch!.last ?? last
      id = batch!.id ?? id
    }
    yield* sql.afterCommit(Effect.sync(notices.wake))
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
    if (after !== null && isRegated(before, after)) yield* Planning.byKey(sql, regate(account_id, endpoint_id))
    if (isOutdated(before, after)) {
      yield* sql.afterCommit(Effect.sync(() => notices.recall({ account_id, endpoint_id })))
    }
  })
})
