/** One batch of a recovery: a look at the next events, the deliveries that they lack, and the place that was reached. */
import { Recovery, WebhookEndpoint } from "@tc/domain"
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Handoff } from "../Handoff.ts"
import { positionIn } from "./Gates.ts"
import * as Progress from "../Progress.ts"
import type { AdvanceRequest, Claimed } from "../Recoveries.ts"
import * as Delivery from "./Delivery.ts"
import { plain } from "./Table.ts"

const decode = Schema.decodeUnknownSync(Recovery.Recovery)
const decodeRow = Schema.decodeUnknownSync(
  Schema.Struct({
    ...Recovery.Recovery.fields,
    cursor: Schema.String,
    due_at: Schema.NullOr(Schema.String),
    lease: Schema.NullOr(Schema.String),
  }),
)

/** A row as callers see it. */
export const show = (row: object): Recovery.Recovery => decode(plain(row))

const roomText = `
  SELECT $3::int - count(*)::int AS room FROM (
    SELECT 1 FROM tc.deliveries WHERE account_id = $1 AND endpoint_id = $2 AND due_at IS NOT NULL LIMIT $3::int
  ) AS open`

/**
 * The batch. Whether there is a delivery of an event is one look into the index of the endpoint's deliveries. An event that is
 * taken up is locked, so that it is not removed for its age meanwhile.
 */
export const text = `
  WITH seen AS MATERIALIZED (
    SELECT id, event FROM tc.events WHERE account_id = $1 AND id > $3 AND id < $4 ORDER BY id LIMIT $5
  ), missed AS MATERIALIZED (
    SELECT v.id, v.event FROM seen s JOIN tc.events v ON v.account_id = $1 AND v.id = s.id
    WHERE ($6::jsonb ? '*' OR $6::jsonb ? s.event)
      AND NOT EXISTS (
        SELECT 1 FROM tc.deliveries d WHERE d.account_id = $1 AND d.endpoint_id = $2 AND ${Delivery.isOf("d", "s.id")}
          AND d.status NOT IN ('failed', 'canceled')
      )
      AND CASE WHEN s.event = '${WebhookEndpoint.DISABLED}' THEN ('{' || v.tail)::json #>> '{data,id}' <> $2::text ELSE true END
    ORDER BY s.id LIMIT $7 FOR KEY SHARE OF v
  ), born AS (
    INSERT INTO tc.deliveries (account_id, id, event_id, endpoint_id, event, status, attempt_count, due_at, position, created_at, updated_at)
    SELECT $1, ${Delivery.idOf("m.id")}, m.id, $2, m.event, 'pending', 0, $8, ${positionIn("statement_timestamp()")}, $8, $8
    FROM missed m JOIN tc.webhook_endpoints e ON e.account_id = $1 AND e.id = $2
    RETURNING id
  ), made AS (
    SELECT count(*)::int AS made, count(*) = $7 AS "isFull" FROM born
  ), looked AS (
    SELECT s.id FROM seen s, made m
    WHERE NOT m."isFull" OR s.id <= (SELECT id FROM missed ORDER BY id DESC LIMIT 1)
  )
  SELECT m.*, (SELECT count(*)::int FROM looked) AS seen, (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last
  FROM made m`

const keepText = `
  UPDATE tc.recoveries SET status = $3, event_count = $4, delivery_count = $5, cursor = $6, due_at = $7, lease = $8,
    updated_at = $9, completed_at = $10
  WHERE account_id = $1 AND id = $2`

const nothing: Progress.Batch = { seen: 0, made: 0, last: null, isFull: true }

/**
 * Part of a transaction. The endpoint is locked before the recovery, as by whoever disables it, and so that nobody retries
 * a delivery of it that counts as missed here.
 */
export const make = (sql: SqlClient.SqlClient, handoff: Handoff) =>
  Effect.fnUntraced(function* (
    { account_id, endpoint_id, id, lease }: Claimed,
    request: AdvanceRequest,
    millis: number,
  ): Effect.fn.Return<Recovery.Recovery | null, SqlError.SqlError> {
    yield* sql`SELECT 1 FROM tc.webhook_endpoints WHERE account_id = ${account_id} AND id = ${endpoint_id} FOR NO KEY UPDATE`
    const [found] = yield* sql<object>`
      SELECT * FROM tc.recoveries WHERE account_id = ${account_id} AND id = ${id} AND lease = ${lease} FOR UPDATE`
    if (found === undefined) return null
    const row = decodeRow(plain(found))
    const { before, isLast } = Progress.end(row, request, millis)
    const now = new Date(millis).toISOString()
    const [open] = yield* sql.unsafe<{ readonly room: number }>(roomText, [account_id, endpoint_id, request.max_open])
    const events = JSON.stringify(row.events)
    const params = [account_id, endpoint_id, row.cursor, before, request.limit, events, open!.room, now]
    const [batch = nothing] = open!.room > 0 ? yield* sql.unsafe<Progress.Batch>(text, params) : []
    const next = Progress.after(row, batch, request, { isLast, millis })
    yield* sql.unsafe(keepText, [
      account_id,
      id,
      next.status,
      next.event_count,
      next.delivery_count,
      next.cursor,
      next.due_at,
      next.lease,
      next.updated_at,
      next.completed_at,
    ])
    if (batch.made > 0) yield* sql.afterCommit(Effect.sync(handoff.wake))
    return decode(next)
  })
