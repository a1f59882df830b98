/** Records attempts and moves their deliveries on, each only while the worker still holds its lease. */
import { type Id, WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Settlement, Streak } from "../Deliveries.ts"
import { ending, exhausted } from "../Endings.ts"
import { cancel } from "./Canceling.ts"
import { Outbox } from "./Outbox.ts"
import * as Planning from "./Planning.ts"
import * as Table from "./Table.ts"

const endpoints = Table.make(WebhookEndpoint.resource)

// Endpoints are locked in one order, so that two batches never wait for each other.
const text = `
  WITH given AS (
    SELECT * FROM json_to_recordset($2::json) AS g (
      account_id uuid, id uuid, lease text, status text, due_at timestamptz,
      number int, started_at timestamptz, duration_ms int, status_code int, error text, response_excerpt text)
  ), settled AS (
    UPDATE tc.deliveries d SET lease = NULL, updated_at = $1, attempt_count = g.number,
      status = CASE WHEN g.status <> 'pending' OR wanted.live THEN g.status ELSE 'canceled' END,
      due_at = CASE WHEN wanted.live THEN g.due_at END
    FROM given g, LATERAL (
      SELECT g.status = 'pending' AND EXISTS (
        SELECT FROM tc.webhook_endpoints e JOIN tc.deliveries o ON o.account_id = e.account_id AND o.endpoint_id = e.id
        WHERE o.account_id = g.account_id AND o.id = g.id AND e.status = 'active'
      ) AS live
    ) AS wanted
    WHERE d.account_id = g.account_id AND d.id = g.id AND d.lease = g.lease AND d.status = 'delivering'
    RETURNING d.account_id, d.id, d.endpoint_id, d.status, g.number, g.started_at, g.duration_ms, g.status_code, g.error, g.response_excerpt
  ), recorded AS (
    INSERT INTO tc.attempts (account_id, delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt)
    SELECT account_id, id, number, started_at, duration_ms, status_code, error, response_excerpt FROM settled
  ), healed AS MATERIALIZED (
    SELECT e.account_id, e.id FROM tc.webhook_endpoints e
    WHERE e.consecutive_failures <> 0
      AND (e.account_id, e.id) IN (SELECT account_id, endpoint_id FROM settled WHERE status = 'succeeded')
    ORDER BY e.account_id, e.id FOR UPDATE
  ), cleared AS (
    UPDATE tc.webhook_endpoints e SET consecutive_failures = 0, updated_at = $1
    FROM healed h WHERE e.account_id = h.account_id AND e.id = h.id AND e.status = 'active'
  )
  SELECT account_id, id FROM settled`

const key = ({ account_id, id }: { readonly account_id: string; readonly id: string }) => `${account_id}/${id}`

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox

  /** Writes a batch in one statement; answers which deliveries were still held. */
  const write = (settlements: ReadonlyArray<Settlement>, now: string) => {
    const given = settlements.map((settlement) => {
      const { job, attempt, outcome } = settlement
      const { status, due_at } = ending(outcome)
      // PostgreSQL has no text with U+0000 or half a surrogate pair.
      const response_excerpt = attempt.response_excerpt?.toWellFormed().replaceAll("\u0000", "\ufffd") ?? null
      return { account_id: job.account_id, id: job.id, lease: job.lease, status, due_at, ...attempt, response_excerpt }
    })
    return Effect.map(
      Planning.byKey(
        sql,
        sql.unsafe<{ readonly account_id: string; readonly id: string }>(text, [now, JSON.stringify(given)]),
      ),
      (rows) => new Set(rows.map(key)),
    )
  }

  /** Counts failed deliveries against their endpoint, which may disable it. The row is locked before the first is written. */
  const exhaust = Effect.fnUntraced(function* (
    account_id: Id.AccountId,
    endpoint_id: string,
    settlements: ReadonlyArray<Settlement>,
    streak: Streak,
    now: string,
  ) {
    const [found] = yield* sql.unsafe<object>(
      `SELECT ${endpoints.columns} FROM ${endpoints.table} WHERE account_id = $1 AND id = $2 FOR UPDATE`,
      [account_id, endpoint_id],
    )
    const held = yield* write(settlements, now)
    if (found === undefined || held.size === 0) return held
    const { row, events } = exhausted(endpoints.decode(found), held.size, streak, now)
    // By itself and first: the statement that tells of it must see the endpoint disabled, or it would be told too.
    yield* outbox.commit(account_id, endpoints.update(row), [])
    if (events.length > 0) {
      yield* cancel(account_id, endpoint_id, now)
      yield* outbox.commit(account_id, null, events)
    }
    return held
  })

  return Effect.fnUntraced(
    function* (settlements: ReadonlyArray<Settlement>, streak: Streak, now: string) {
      const failures = Map.groupBy(
        settlements.filter(({ outcome }) => outcome === "exhausted"),
        ({ job }) => `${job.account_id}/${job.endpoint_id}`,
      )
      const rest = settlements.filter(({ outcome }) => outcome !== "exhausted")
      const held = rest.length === 0 ? new Set<string>() : yield* write(rest, now)
      for (const [, batch] of [...failures].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
        const { account_id, endpoint_id } = batch[0]!.job
        const more = yield* sql.withTransaction(exhaust(account_id, endpoint_id, batch, streak, now))
        for (const id of more) held.add(id)
      }
      return settlements.map(({ job }) => held.has(key(job)))
    },
    (effect) => Effect.provideService(effect, SqlClient.SqlClient, sql),
  )
})
