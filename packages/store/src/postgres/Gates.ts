/** Leases deliveries of endpoints that take them in order, or at a rate. Of each such endpoint, one row says who may go. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Claim, ClaimRequest, Endpoint, Job } from "../Deliveries.ts"
import { PAUSE_MS } from "../Gate.ts"
import * as Leasing from "./Leasing.ts"

/** Endpoints that one claim looks for. */
const WALK = 1_000
/** Before the first endpoint. */
const START = ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"] as const

const isGated = "due_at IS NOT NULL AND position IS NOT NULL"
const isIts = "account_id = e.account_id AND endpoint_id = e.id"

/** A place in an order: microseconds of the one clock that all share, so that what happens later stands behind. */
const placeOf = (time: string): string => `(extract(epoch FROM ${time}) * 1000000)::bigint`

/** The position of a delivery to the endpoint `e`, in order from a time on. */
export const positionIn = (time: string): string =>
  `CASE WHEN e.ordered THEN ${placeOf(time)} WHEN e.max_per_second IS NOT NULL THEN 0 END`

/** That of one that is there already, before all that come from now on, whatever clock says when it was created. */
export const positionOf = (delivery: string): string => positionIn(`least(${delivery}.created_at, now())`)

/** More than any time: what is under lease when its endpoint is put in order stands so far before all that is not. */
const AHEAD = 10n ** 18n

/** The position of a delivery to the endpoint `e` that has just been put in order, or at a rate, or neither of them. */
export const regated = (delivery: string): string =>
  `${positionOf(delivery)} - CASE WHEN e.ordered AND ${delivery}.status = 'delivering' THEN ${AHEAD} ELSE 0 END`

/** The position of a delivery that is not under lease any more: where it would have stood. */
export const returned = (delivery: string): string =>
  `${delivery}.position + CASE WHEN ${delivery}.position < 0 THEN ${AHEAD} ELSE 0 END`

/**
 * A column of the first row of an endpoint in the order of an index. The conditions are such that only this index gives that
 * order: a planner that knows nothing of the table might else read all that waits, and sort it.
 */
const first = (column: string, condition: string, by: string, least: string) => `(
  SELECT CASE WHEN account_id = e.account_id AND endpoint_id = e.id THEN ${column} END FROM (
    SELECT account_id, endpoint_id, ${column} FROM tc.deliveries
    WHERE ${condition} AND (account_id, endpoint_id, ${by}) >= (e.account_id, e.id, ${least})
    ORDER BY account_id, endpoint_id, ${by} LIMIT 1
  ) AS f)`

/** The one delivery of an endpoint in order that may go once it is due: that which went last, or else the first that waits. */
const head = `coalesce(
  (SELECT id FROM tc.deliveries c WHERE account_id = e.account_id AND id = e.current AND ${Leasing.isOpen("c")}),
  ${first("id", isGated, "position, id", `${-AHEAD}, '00000000-0000-0000-0000-000000000000'`)})`

/** Deliveries that may go at once at a rate: a tenth of what goes in a second. */
const burst = "greatest(1, ceil(e.max_per_second / 10.0))"
const second = "interval '1 second'"

/** When the next delivery of an endpoint may go. */
const opensAt = `greatest(
  CASE WHEN e.ordered THEN (SELECT due_at FROM tc.deliveries WHERE account_id = e.account_id AND id = ${head})
    ELSE ${first("due_at", "due_at IS NOT NULL", "due_at", "'-infinity'")} END,
  e.free_at - ${second} * (${burst} - 1) / e.max_per_second)`

const findText = `
  WITH RECURSIVE walked AS (
    SELECT $4::uuid AS account_id, $5::uuid AS endpoint_id, 0 AS nth
    UNION ALL
    SELECT n.account_id, n.endpoint_id, w.nth + 1 FROM walked w, LATERAL (
      SELECT account_id, endpoint_id FROM tc.deliveries
      WHERE ${isGated} AND (account_id, endpoint_id) > (w.account_id, w.endpoint_id)
      ORDER BY account_id, endpoint_id LIMIT 1
    ) AS n
    WHERE w.nth < ${WALK}
  ), gates AS MATERIALIZED (
    SELECT w.account_id, w.endpoint_id, coalesce(e.status, '') = 'active' AS is_active,
      e.ordered OR e.max_per_second IS NOT NULL AS is_gated,
      e.max_per_second IS NOT NULL AS paced, ${opensAt} AS opens_at
    FROM walked w LEFT JOIN tc.webhook_endpoints e ON e.account_id = w.account_id AND e.id = w.endpoint_id
    WHERE w.nth > 0 AND (w.account_id, w.endpoint_id) NOT IN (SELECT * FROM unnest($2::uuid[], $3::uuid[]))
  )
  SELECT (SELECT ARRAY[account_id, endpoint_id]::text[] FROM walked WHERE nth = ${WALK}) AS stopped,
    (SELECT min(CASE WHEN paced THEN greatest(opens_at, $1::timestamptz + $6::int * interval '1 millisecond') ELSE opens_at END)
      FROM gates WHERE is_active AND is_gated AND opens_at > $1::timestamptz) AS next,
    (SELECT json_agg(o) FROM (
      SELECT account_id, endpoint_id FROM gates WHERE is_active AND is_gated AND opens_at <= $1::timestamptz ORDER BY opens_at LIMIT $7
    ) AS o) AS open,
    (SELECT json_agg(g) FROM (SELECT account_id, endpoint_id FROM gates WHERE NOT is_active) AS g) AS gone,
    (SELECT json_agg(f) FROM (SELECT account_id, endpoint_id FROM gates WHERE is_active AND NOT is_gated) AS f) AS free`

/** Whoever has this row says who goes next; those that somebody else has are passed over. */
const lockText = `
  SELECT e.account_id, e.id AS endpoint_id FROM unnest($1::uuid[], $2::uuid[]) AS g (account_id, endpoint_id)
  JOIN tc.webhook_endpoints e ON e.account_id = g.account_id AND e.id = g.endpoint_id
  WHERE e.status = 'active' AND (e.ordered OR e.max_per_second IS NOT NULL)
  FOR NO KEY UPDATE OF e SKIP LOCKED`

/** Deliveries that persons asked for, of all endpoints, that are looked at. */
const ASKED_MAX = 1_000

/** Those that persons asked for, with these columns: they are few. */
export const asked = (columns: string): string => `asked AS MATERIALIZED (
    SELECT ${columns} FROM tc.deliveries
    WHERE asked AND due_at IS NOT NULL AND due_at <= $1 ORDER BY due_at LIMIT ${ASKED_MAX}
  )`

/** Leases what may go: whatever it is, or only what a person asked for. */
const leaseText = (isAsked: boolean) => `
  WITH ${isAsked ? `${asked("account_id, endpoint_id, id, event_id, due_at")}, ` : ""}gates AS MATERIALIZED (
    SELECT e.*, least($4::int, coalesce(
      floor(${burst} - greatest(0, extract(epoch FROM e.free_at - $1::timestamptz)) * e.max_per_second)::int, $4::int)) AS places
    FROM unnest($2::uuid[], $3::uuid[]) AS g (account_id, endpoint_id)
    JOIN tc.webhook_endpoints e ON e.account_id = g.account_id AND e.id = g.endpoint_id
  ), found AS MATERIALIZED (
    SELECT e.account_id, d.id, d.event_id, row_number() OVER (ORDER BY d.nth, d.due_at, d.id) AS place
    FROM gates e, LATERAL (
      SELECT id, event_id, due_at, 1 AS nth FROM tc.deliveries h
      WHERE e.ordered AND e.places > 0 AND account_id = e.account_id AND id = ${head} AND ${Leasing.isDue("h", "$1")}${isAsked ? " AND h.asked" : ""}
      UNION ALL
      SELECT *, row_number() OVER (ORDER BY due_at, id) FROM (
        SELECT id, event_id, due_at FROM ${isAsked ? "asked" : "tc.deliveries"}
        WHERE NOT e.ordered AND due_at IS NOT NULL AND ${isIts} AND due_at <= $1
        ORDER BY due_at LIMIT greatest(0, e.places)
      ) AS o
    ) AS d
  ), locked AS MATERIALIZED (
    SELECT f.*, d.status = 'delivering' AS expired FROM found f JOIN tc.deliveries d ON d.account_id = f.account_id AND d.id = f.id
    WHERE ${Leasing.isDue("d", "$1")} ORDER BY f.place LIMIT $5 FOR UPDATE OF d SKIP LOCKED
  ), ${Leasing.queued({ now: "$1", lease: "$6", until: "$7", max_bytes: "$8" })}, passed AS (
    UPDATE tc.webhook_endpoints e SET
      current = CASE WHEN e.ordered THEN l.id ELSE e.current END,
      free_at = greatest(e.free_at, $1::timestamptz) + ${second} * l.count / e.max_per_second
    FROM (
      SELECT account_id, endpoint_id, count(*), (array_agg(id))[1] AS id FROM leased GROUP BY account_id, endpoint_id
    ) AS l
    WHERE e.account_id = l.account_id AND e.id = l.endpoint_id
  )
  SELECT l.expired, l.account_id, l.id, l.endpoint_id, l.event, l.attempt, l.manual, l.tail, e.url, e.secret,
    e.max_per_second IS NOT NULL AS paced
  FROM leased l JOIN gates e ON e.account_id = l.account_id AND e.id = l.endpoint_id ORDER BY l.place`

/** Where the endpoint stopped being active while these were on their way into the queue. */
const cancelText = `
  UPDATE tc.deliveries d SET status = 'canceled', due_at = NULL, lease = NULL, updated_at = $1
  FROM unnest($2::uuid[], $3::uuid[]) AS g (account_id, endpoint_id), LATERAL (
    SELECT id FROM tc.deliveries
    WHERE due_at IS NOT NULL AND due_at <= $1 AND account_id = g.account_id AND endpoint_id = g.endpoint_id
    ORDER BY due_at LIMIT ${WALK} FOR UPDATE SKIP LOCKED
  ) AS o
  WHERE d.account_id = g.account_id AND d.id = o.id`

/** Where the endpoint stopped being gated while these were on their way into the queue, or is another of the same id. */
const freeText = `
  UPDATE tc.deliveries d SET position = NULL
  FROM unnest($1::uuid[], $2::uuid[]) AS g (account_id, endpoint_id), LATERAL (
    SELECT id FROM tc.deliveries WHERE ${isGated} AND account_id = g.account_id AND endpoint_id = g.endpoint_id
    ORDER BY position, id LIMIT ${WALK} FOR UPDATE SKIP LOCKED
  ) AS o
  WHERE d.account_id = g.account_id AND d.id = o.id`

interface Found {
  readonly stopped: readonly [account_id: string, endpoint_id: string] | null
  readonly next: Date | null
  readonly open: ReadonlyArray<Endpoint> | null
  readonly gone: ReadonlyArray<Endpoint> | null
  readonly free: ReadonlyArray<Endpoint> | null
}

/** A delivery as it was leased. */
interface Leased extends Omit<Job, "lease" | "lease_until"> {
  /** Whether it was under a lease that had run out. */
  readonly expired: boolean
}

/** A lease, and for how many deliveries at most. */
export type Terms = Pick<ClaimRequest, "limit" | "per_endpoint" | "max_bytes" | "lease_ms">

/** Endpoints as two columns. */
export const columnsOf = (endpoints: ReadonlyArray<Endpoint>) => [
  endpoints.map(({ account_id }) => account_id),
  endpoints.map(({ endpoint_id }) => endpoint_id),
]

/** Those of these endpoints that this transaction may lease from: they are gated, and nobody else is at it. */
export const lock = (sql: SqlClient.SqlClient, endpoints: ReadonlyArray<Endpoint>) =>
  endpoints.length === 0 ? Effect.succeed([]) : sql.unsafe<Endpoint>(lockText, columnsOf(endpoints))

// It begins after the rows are locked, and so sees all that was taken before.
const leaseTexts = { due: leaseText(false), asked: leaseText(true) }

/** Leases what may go of endpoints that are locked. */
export const lease = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  which: keyof typeof leaseTexts,
  locked: ReadonlyArray<Endpoint>,
  { limit, per_endpoint, max_bytes, lease_ms }: Terms,
  millis: number,
) {
  if (locked.length === 0) return { jobs: [], expired: 0 }
  const [lease, lease_until] = [crypto.randomUUID(), millis + lease_ms]
  const [now, until] = [new Date(millis).toISOString(), new Date(lease_until).toISOString()]
  const params = [now, ...columnsOf(locked), per_endpoint, limit, lease, until, max_bytes]
  const rows = yield* sql.unsafe<Leased>(leaseTexts[which], params)
  const jobs = rows.map(({ expired: _expired, ...row }): Job => ({ ...row, lease, lease_until }))
  return { jobs, expired: rows.filter(({ expired }) => expired).length }
})

/** Part of a transaction, as the rest of the claim. */
export const make = (sql: SqlClient.SqlClient) => {
  let from: readonly [string, string] = START

  return Effect.fnUntraced(function* (
    request: ClaimRequest,
    millis: number,
  ): Effect.fn.Return<Claim, SqlError.SqlError> {
    const now = new Date(millis).toISOString()
    const params = [now, ...columnsOf(request.saturated), ...from, PAUSE_MS, request.limit]
    const [found] = yield* sql.unsafe<Found>(findText, params)
    const { stopped, next, gone, free } = found!
    const open = found!.open ?? []
    from = stopped ?? START
    if (gone !== null) yield* sql.unsafe(cancelText, [now, ...columnsOf(gone)])
    if (free !== null) yield* sql.unsafe(freeText, columnsOf(free))
    const locked = yield* lock(sql, open)
    const { jobs, expired } = yield* lease(sql, "due", locked, request, millis)
    // When the next may go after these, the next claim finds.
    const soon = jobs.some(({ paced }) => paced) ? millis + PAUSE_MS : Infinity
    const soonest = Math.min(next?.getTime() ?? Infinity, soon)
    const more = stopped !== null || free !== null || locked.length < open.length || open.length >= request.limit
    return { jobs, next_due_at: Number.isFinite(soonest) ? soonest : null, expired, more } satisfies Claim
  })
}
