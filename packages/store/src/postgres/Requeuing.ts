/**
 * Puts deliveries back into the queue: those that a worker gives back, and one that a person retries. Endpoints are locked
 * before deliveries, as everywhere, so that none is left waiting for an endpoint that is being disabled.
 */
import { Errors, type Id } from "@tc/domain"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Released } from "../Deliveries.ts"
import type { Receiver } from "../Handoff.ts"
import * as Refusals from "../Refusals.ts"
import { show } from "./Delivery.ts"
import { positionOf, returned } from "./Gates.ts"
import * as Planning from "./Planning.ts"

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

const releaseText = `
  WITH given AS MATERIALIZED (
    SELECT d.account_id, d.id, d.endpoint_id, d.lease, g.due_at
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[]) AS g (account_id, id, lease, due_at)
    JOIN tc.deliveries d ON d.account_id = g.account_id AND d.id = g.id AND d.lease = g.lease
  ), active AS MATERIALIZED (
    SELECT e.account_id, e.id FROM (SELECT DISTINCT account_id, endpoint_id FROM given) AS g
    JOIN tc.webhook_endpoints e ON e.account_id = g.account_id AND e.id = g.endpoint_id
    WHERE e.status = 'active' ORDER BY e.account_id, e.id FOR SHARE OF e
  )
  UPDATE tc.deliveries d SET lease = NULL, lease_until = NULL, updated_at = $1, position = ${returned("d")},
    status = CASE WHEN g.live THEN 'pending' ELSE 'canceled' END,
    due_at = CASE WHEN g.live THEN g.due_at END
  FROM (
    SELECT g.*, a.id IS NOT NULL AS live
    FROM given g LEFT JOIN active a ON a.account_id = g.account_id AND a.id = g.endpoint_id
    -- All locks are taken before the first delivery is written.
    WHERE (SELECT count(*) FROM active) IS NOT NULL
  ) AS g
  WHERE d.account_id = g.account_id AND d.id = g.id AND d.lease = g.lease AND d.status = 'delivering'`

export const release = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, jobs: ReadonlyArray<Released>) {
  const at = yield* now
  yield* Planning.byKey(
    sql,
    sql.unsafe(releaseText, [
      at,
      jobs.map(({ account_id }) => account_id),
      jobs.map(({ id }) => id),
      jobs.map(({ lease }) => lease),
      jobs.map(({ due_at }) => (due_at === undefined ? at : new Date(due_at).toISOString())),
    ]),
  )
})

/** In order, a delivery goes back to where it stood. */
const retryText = `
  UPDATE tc.deliveries d SET status = 'pending', due_at = $1, updated_at = $1, asked = true,
    retry = d.attempt_count > 0, manual = d.manual OR d.status <> 'pending',
    position = CASE WHEN e.ordered AND d.position <> 0 THEN ${returned("d")} ELSE ${positionOf("d")} END
  FROM tc.webhook_endpoints e
  WHERE d.account_id = $2 AND d.id = $3 AND e.account_id = d.account_id AND e.id = d.endpoint_id`

/** Part of a transaction. */
export const retry = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { wake }: Pick<Receiver, "wake">,
  account_id: Id.AccountId,
  id: Id.DeliveryId,
) {
  const [endpoint] = yield* sql<{ readonly status: string }>`
    SELECT status FROM tc.webhook_endpoints WHERE account_id = ${account_id}
      AND id = (SELECT endpoint_id FROM tc.deliveries WHERE account_id = ${account_id} AND id = ${id}) FOR SHARE`
  const [found] =
    yield* sql<object>`SELECT * FROM tc.deliveries WHERE account_id = ${account_id} AND id = ${id} FOR UPDATE`
  if (found === undefined) return yield* Errors.notFound("delivery", id)
  const delivery = show(found)
  if (delivery.status === "delivering") return yield* Refusals.deliveryInProgress()
  if (endpoint?.status !== "active") return yield* Refusals.endpointNotActive()
  const at = yield* now
  yield* sql.unsafe(retryText, [at, account_id, id])
  yield* sql.afterCommit(Effect.sync(wake))
  return { ...delivery, status: "pending" as const, due_at: at, updated_at: at }
})
