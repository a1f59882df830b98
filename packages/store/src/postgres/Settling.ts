/** Records attempts and moves their deliveries on, each only while the worker still holds its lease. */
import { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Settlement, Streak, Written } from "../Deliveries.ts"
import { counted, ending, uncounted } from "../Endings.ts"
import { Handoff } from "../Handoff.ts"
import * as Canceling from "./Canceling.ts"
import * as Columns from "./Columns.ts"
import * as FormerSettings from "./FormerSettings.ts"
import { returned } from "./Gates.ts"
import { Outbox } from "./Outbox.ts"
import * as Planning from "./Planning.ts"
import * as Table from "./Table.ts"

const endpoints = Table.make(WebhookEndpoint.resource)

// Whoever writes both locks endpoints before deliveries, and endpoints in one order: so nobody waits in a circle, and an
// endpoint that is being disabled is seen either active by both or by neither. A success changes its endpoint only where
// that has failures, so that the endpoints of those that went well are not locked at all.
const text = `
  WITH given AS MATERIALIZED (
    SELECT *, (place - 1)::int AS nth FROM unnest(
      $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[], $8::boolean[],
      $9::int[], $10::timestamptz[], $11::int[], $12::int[], $13::text[], $14::text[]
    ) WITH ORDINALITY AS g (account_id, id, endpoint_id, lease, status, due_at, locks,
      number, started_at, duration_ms, status_code, error, response_excerpt, place)
  ), locked AS MATERIALIZED (
    SELECT e.account_id, e.id, e.status
    FROM (SELECT account_id, endpoint_id, bool_or(locks) AS locks FROM given GROUP BY account_id, endpoint_id) AS g
    JOIN tc.webhook_endpoints e ON e.account_id = g.account_id AND e.id = g.endpoint_id
    WHERE g.locks OR e.consecutive_failures <> 0
    ORDER BY e.account_id, e.id FOR NO KEY UPDATE OF e
  ), settled AS (
    UPDATE tc.deliveries d SET lease = NULL, lease_until = NULL, updated_at = $1, attempt_count = g.number,
      retry = d.retry OR g.status = 'pending', position = ${returned("d")},
      status = CASE WHEN g.status <> 'pending' OR g.live THEN g.status ELSE 'canceled' END,
      due_at = CASE WHEN g.live THEN g.due_at END
    FROM (
      SELECT g.*, l.id IS NOT NULL AS counts, coalesce(l.status, '') = 'active' AS live
      FROM given g LEFT JOIN locked l ON l.account_id = g.account_id AND l.id = g.endpoint_id
      -- All locks are taken before the first delivery is written.
      WHERE (SELECT count(*) FROM locked) IS NOT NULL
    ) AS g
    WHERE d.account_id = g.account_id AND d.id = g.id AND d.lease = g.lease AND d.status = 'delivering'
    RETURNING d.account_id, d.id, d.position <> 0 AS in_order, g.nth, g.counts, g.number, g.started_at, g.duration_ms, g.status_code, g.error, g.response_excerpt
  ), recorded AS (
    INSERT INTO tc.attempts (account_id, delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt)
    SELECT account_id, id, number, started_at, duration_ms, status_code, error, response_excerpt FROM settled
  )
  SELECT array_agg(nth) AS held, array_agg(nth) FILTER (WHERE counts) AS counting,
    bool_or(in_order) AS in_order FROM settled`

/** Which of the results were written, by their place; null for none. */
interface Settled {
  readonly held: ReadonlyArray<number> | null
  /** Those of them whose endpoint is there and locked. */
  readonly counting: ReadonlyArray<number> | null
  /** Whether another delivery may wait for one of them to end. */
  readonly in_order: boolean | null
}

/** The results as the statement takes them, column by column. */
const given = (settlements: ReadonlyArray<Settlement>): ReadonlyArray<unknown> => {
  const endings = settlements.map(({ outcome }) => ending(outcome))
  const column = (of: (settlement: Settlement) => unknown) => Columns.of(settlements.map(of))
  return [
    column(({ job }) => job.account_id),
    column(({ job }) => job.id),
    column(({ job }) => job.endpoint_id),
    column(({ job }) => job.lease),
    Columns.of(endings.map(({ status }) => status)),
    Columns.of(endings.map(({ due_at }) => due_at)),
    column(({ outcome }) => outcome === "exhausted" || outcome === "gone" || typeof outcome === "object"),
    column(({ attempt }) => attempt.number),
    column(({ attempt, job }) => FormerSettings.marked(attempt.started_at, job)),
    column(({ attempt }) => attempt.duration_ms),
    column(({ attempt }) => attempt.status_code),
    column(({ attempt }) => attempt.error),
    // PostgreSQL has no text with U+0000 or half a surrogate pair.
    column(({ attempt }) => attempt.response_excerpt?.toWellFormed().replaceAll("\u0000", "\ufffd") ?? null),
  ]
}

/** A result, and its place among those given. */
type Placed = Settlement & { readonly nth: number }

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const follow = yield* Canceling.make
  const { wake } = yield* Handoff

  /** Counts the results of deliveries, in their order, for or against their endpoint, which is locked. */
  const count = Effect.fnUntraced(function* (its: ReadonlyArray<Placed>, streak: Streak, now: string) {
    const { account_id, endpoint_id } = its[0]!.job
    const [found] = yield* sql.unsafe<object>(
      `SELECT ${endpoints.columns} FROM ${endpoints.table} WHERE account_id = $1 AND id = $2`,
      [account_id, endpoint_id],
    )
    const before = endpoints.decode(found!)
    const outcomes = its.map(({ outcome }) => outcome)
    const after = counted(before, outcomes, streak, now)
    return { its, before, ...after, disabled_by: its[after.written.findIndex(({ disabled }) => disabled)]?.nth ?? 0 }
  })

  const write = Effect.fnUntraced(function* (
    { before, row, events }: Effect.Success<ReturnType<typeof count>>,
    now: string,
  ) {
    if (row === before) return
    // By itself and first: the statement that tells of it must see the endpoint disabled, or it would be told too.
    yield* outbox.commit(row.account_id, endpoints.update(row), [])
    if (events.length === 0) return
    yield* follow(before, row, now)
    yield* outbox.commit(row.account_id, null, events)
  })

  /** One transaction for all. */
  return (settlements: ReadonlyArray<Settlement>, streak: Streak, now: string) =>
    Planning.byKey(
      sql,
      Effect.gen(function* () {
        const [settled] = yield* sql.unsafe<Settled>(text, [now, ...given(settlements)])
        const held = new Set(settled!.held)
        const locked = new Set(settled!.counting)
        const all = settlements.map((settlement, nth): Placed => ({ ...settlement, nth }))
        const counting = all.filter(({ outcome, nth }) => typeof outcome === "string" && locked.has(nth))
        const byEndpoint = Map.groupBy(counting, ({ job }) => `${job.account_id}/${job.endpoint_id}`)
        const written = all.map(({ nth }): Written | null => (held.has(nth) ? uncounted : null))
        const counts = yield* Effect.forEach(byEndpoint.values(), (its) => count(its, streak, now))
        // Those that are disabled are so in the order of the results that do it, and each is told of those before it.
        for (const one of counts.toSorted((left, right) => left.disabled_by - right.disabled_by)) {
          yield* write(one, now)
          one.its.forEach(({ nth }, index) => (written[nth] = one.written[index] ?? uncounted))
        }
        if (settled!.in_order === true) yield* sql.afterCommit(Effect.sync(wake))
        return written
      }),
    )
})
