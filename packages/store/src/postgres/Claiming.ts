/** Leases due deliveries to a worker. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Claim, ClaimRequest, Job } from "../Deliveries.ts"
import * as Gates from "./Gates.ts"
import * as Handovers from "./Handovers.ts"
import * as Leasing from "./Leasing.ts"
import * as Planning from "./Planning.ts"
import * as Straying from "./Straying.ts"
import type { Watermark } from "./Watermark.ts"

/** An endpoint in the order of the index: its account, and its id. */
type Place = readonly [account_id: string, endpoint_id: string]

/** Rows looked at for each row wanted, so that one endpoint's backlog does not fill the view. */
const LOOK_FACTOR = 4
/** Endpoints that one claim looks for behind what it sees, each for its part of the view: none of them fills it alone. */
const WALK = 64
/** Behind the last endpoint. */
const START: Place = ["ffffffff-ffff-ffff-ffff-ffffffffffff", "ffffffff-ffff-ffff-ffff-ffffffffffff"]
/** Of this many places, one is kept for retries while first attempts wait. */
const RETRY_SHARE = 4

/** The two classes, each with an index of its own. What has a position waits its turn: that is the business of `Gates`. */
const isFirst = "due_at IS NOT NULL AND NOT retry AND position IS NULL"
const isRetry = "due_at IS NOT NULL AND retry AND position IS NULL"

const columns = "d.account_id, d.id, d.endpoint_id, d.event_id, d.due_at, d.retry"

/** The oldest due rows of one class, whosever they are: to pass over some here would be to read all of a backlog. */
const look = (isOfClass: string, floor: string) => `
  SELECT ${columns} FROM tc.deliveries d WHERE ${isOfClass} AND due_at >= ${floor} AND due_at <= $1 ORDER BY due_at, id LIMIT $4`

/** Whether the view of a class is full, of endpoints that are too few for the places of the claim. */
const isNarrow = (view: string) => `
      ($4 = (SELECT count(*) FROM ${view}) AND $6 > (
        SELECT count(*) FROM (SELECT DISTINCT account_id, endpoint_id FROM ${view} EXCEPT SELECT * FROM saturated) AS s
      ))`

const millisOf = (time: string) => `extract(epoch FROM ${time})::float8 * 1000`

/** Of one endpoint found behind the view. */
const share = `least($5, greatest(1, $4 / ${WALK}))`

const text = `
  WITH RECURSIVE saturated AS MATERIALIZED (
    SELECT * FROM unnest($2::uuid[], $3::uuid[])
  ), fresh AS MATERIALIZED (${look(isFirst, "$12")}), again AS MATERIALIZED (${look(isRetry, "$13")}),
  seen AS MATERIALIZED (
    SELECT * FROM (SELECT * FROM fresh UNION ALL SELECT * FROM again) AS s
    WHERE (account_id, endpoint_id) NOT IN (SELECT * FROM saturated)
  ), view AS MATERIALIZED (
    SELECT $4 IN ((SELECT count(*) FROM fresh), (SELECT count(*) FROM again)) AS is_full,
      ${millisOf("(SELECT min(due_at) FROM fresh)")} AS oldest_first, ${millisOf("(SELECT min(due_at) FROM again)")} AS oldest_retry,
      ${isNarrow("fresh")} OR ${isNarrow("again")} AS is_narrow
  ), -- Where the view of a class is full, what it shows may hide endpoints that come after, and there is room for some of these
  -- when it shows few. They are found one by one in an index, some at each claim, going on where the claim before stopped.
  -- Backwards, for what was claimed of an endpoint, and may lie dead in the index, was due before what waits.
  walked AS (
    SELECT $10::uuid AS account_id, $11::uuid AS endpoint_id, 0 AS nth, 0 AS looked, '{}'::uuid[] AS ids
    FROM view WHERE is_narrow
    UNION ALL
    SELECT n.account_id, n.endpoint_id, w.nth + 1, w.looked + cardinality(o.ids), o.ids
    FROM walked w, LATERAL (
      SELECT account_id, endpoint_id, position IS NOT NULL AS is_gated FROM tc.deliveries
      WHERE due_at IS NOT NULL AND (account_id, endpoint_id) < (w.account_id, w.endpoint_id)
      ORDER BY account_id DESC, endpoint_id DESC LIMIT 1
    ) AS n, LATERAL (
      SELECT CASE WHEN n.is_gated OR (n.account_id, n.endpoint_id) IN (SELECT * FROM saturated) THEN '{}' ELSE ARRAY(
        SELECT id FROM tc.deliveries
        WHERE due_at IS NOT NULL AND due_at >= least($12::timestamptz, $13::timestamptz) AND due_at <= $1
          AND account_id = n.account_id AND endpoint_id = n.endpoint_id
        ORDER BY due_at LIMIT ${share}
      ) END AS ids OFFSET 0
    ) AS o
    WHERE w.nth < ${WALK} AND w.looked < $4
  ), due AS MATERIALIZED (
    SELECT * FROM seen
    UNION
    SELECT ${columns} FROM walked w, unnest(w.ids) AS u (id), LATERAL (
      -- With its limit it is looked up one by one: as a join, all deliveries of an account would be read.
      SELECT * FROM tc.deliveries WHERE account_id = w.account_id AND id = u.id LIMIT 1
    ) AS d WHERE d.position IS NULL
  ), lanes AS (
    SELECT *, row_number() OVER (PARTITION BY account_id, endpoint_id ORDER BY retry, due_at, id) AS lane FROM due
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY retry ORDER BY lane, due_at, id) AS rank FROM lanes
    WHERE lane <= $5 OR (account_id, endpoint_id) IN (SELECT * FROM unnest($14::uuid[], $15::uuid[]))
  ), best AS MATERIALIZED (
    SELECT account_id, id, event_id, row_number() OVER () AS place FROM (
      SELECT * FROM ranked
      ORDER BY CASE WHEN NOT retry THEN 1 WHEN rank <= $6::int / ${RETRY_SHARE} THEN 0 ELSE 2 END, rank LIMIT $4
    ) AS b
  ), -- Rows that another claim holds, or has taken since, are passed over for the next best. It is materialized: a sub-select
  -- with SKIP LOCKED may otherwise be run again for each row.
  locked AS MATERIALIZED (
    SELECT b.*, d.status = 'delivering' AS expired FROM best b JOIN tc.deliveries d ON d.account_id = b.account_id AND d.id = b.id
    WHERE ${Leasing.isDue("d", "$1")} AND d.position IS NULL ORDER BY b.place LIMIT $6 FOR UPDATE OF d SKIP LOCKED
  ), ${Leasing.handed({ now: "$1", lease: "$7", until: "$8", max_bytes: "$9" })}
  SELECT l.expired, l.account_id, l.id, l.endpoint_id, l.event, l.attempt, l.manual, l.tail, e.url, e.secret,
    coalesce(e.ordered OR e.max_per_second IS NOT NULL, false) AS is_gated,
    view.oldest_first, view.oldest_retry, walk.stopped, view.is_full AND (walk.stopped IS NOT NULL OR walk.left_some OR NOT view.is_narrow) AS more
  FROM view CROSS JOIN (
    SELECT bool_or(cardinality(ids) = ${share}) AS left_some,
      min(ARRAY[account_id, endpoint_id]::text[]) FILTER (WHERE nth = ${WALK} OR looked >= $4) AS stopped
    FROM walked
  ) AS walk
  LEFT JOIN leased l ON true
  LEFT JOIN tc.webhook_endpoints e ON e.account_id = l.account_id AND e.id = l.endpoint_id AND e.status = 'active'
  ORDER BY l.attempt > 1, l.place`

const soonest = (isOfClass: string) =>
  `(SELECT due_at FROM tc.deliveries WHERE ${isOfClass} AND due_at > $1 ORDER BY due_at LIMIT 1)`

/** When the next falls due, or a lease ends but for this one. */
const nextText = `SELECT min(due_at) AS next FROM (${soonest(isFirst)} UNION ALL ${soonest(isRetry)} UNION ALL ${Handovers.soonest}) AS soonest`

/** What the claim says in every row, also in the only one when it leased nothing. */
interface View {
  readonly oldest_first: number | null
  readonly oldest_retry: number | null
  /** Where the search for endpoints stopped; null where it came to the first. */
  readonly stopped: Place | null
  /** Whether there may be due deliveries that were not looked at. */
  readonly more: boolean
}

/** A row of the claim. Without a URL, its endpoint is not active any more. */
interface Leased extends View, Omit<Job, "lease" | "lease_until" | "url" | "secret" | "paced"> {
  /** Whether it was under a lease that had run out. */
  readonly expired: boolean
  readonly url: string | null
  readonly secret: string | null
  readonly is_gated: boolean
}

type Row = Leased | (View & { readonly id: null })

/** A row of the claim as a job, unless its endpoint is not active any more or wants it to wait its turn. */
const jobOf =
  (lease: string, lease_until: number) =>
  ({
    account_id,
    id,
    endpoint_id,
    event,
    attempt,
    manual,
    tail,
    url,
    secret,
    is_gated,
  }: Leased): ReadonlyArray<Job> => {
    if (is_gated || url === null || secret === null) return []
    return [
      { account_id, id, endpoint_id, event, attempt, manual, tail, url, secret, lease, lease_until, paced: false },
    ]
  }

/** Leases what is due of endpoints that take all there is. */
const makeFree = (sql: SqlClient.SqlClient, watermark: Watermark) => {
  let from = START

  return Effect.fnUntraced(function* (request: ClaimRequest, millis: number) {
    const now = new Date(millis).toISOString()
    const lease = crypto.randomUUID()
    const lease_until = millis + request.lease_ms
    yield* Handovers.reclaim(sql, watermark, millis)
    const marks = watermark.at(millis)
    const rows = yield* sql.unsafe<Row>(text, [
      now,
      ...Gates.columnsOf(request.saturated),
      request.limit * LOOK_FACTOR,
      request.per_endpoint,
      request.limit,
      lease,
      new Date(lease_until).toISOString(),
      request.max_bytes,
      ...from,
      marks.first,
      marks.retry,
      ...Gates.columnsOf(request.quick),
    ])
    const { stopped, more, oldest_first, oldest_retry } = rows[0]!
    from = stopped ?? START
    watermark.saw(marks, millis, [oldest_first, oldest_retry])
    const leased = rows.filter((row) => row.id !== null)
    const jobs = leased.flatMap(jobOf(lease, lease_until))
    const stray = leased.filter(({ url, is_gated }) => is_gated || url === null)
    yield* Straying.putRight(sql, stray, lease, now)
    const [soonest] = yield* sql.unsafe<{ readonly next: Date | null }>(nextText, [now, lease])
    const next_due_at = soonest?.next?.getTime() ?? null
    const expired = leased.filter((row) => row.expired && !row.is_gated && row.url !== null).length
    return { jobs, next_due_at, expired, more: more || stray.some(({ is_gated }) => is_gated) } satisfies Claim
  })
}

/** Leases what is due. One transaction: what fails leases nothing. */
export const make = (
  sql: SqlClient.SqlClient,
  watermark: Watermark,
): ((request: ClaimRequest, millis: number) => Effect.Effect<Claim, SqlError.SqlError>) => {
  const gated = Gates.make(sql)
  const free = makeFree(sql, watermark)
  /** Whether the one place of a claim goes to those that need not wait their turn. */
  let turn = false

  const claim = Effect.fnUntraced(function* (request: ClaimRequest, millis: number) {
    turn = !turn
    const [one, other] = request.limit === 1 && turn ? [free, gated] : [gated, free]
    const first = yield* one({ ...request, limit: Math.max(1, request.limit >> 1) }, millis)
    const limit = request.limit - first.jobs.length
    const max_bytes = request.max_bytes - first.jobs.reduce((sum, { tail }) => sum + tail.length, 0)
    if (limit === 0 || max_bytes <= 0) return { ...first, more: true }
    const rest = yield* other({ ...request, limit, max_bytes }, millis)
    const next = [first.next_due_at, rest.next_due_at].filter((at) => at !== null)
    return {
      jobs: [...first.jobs, ...rest.jobs],
      next_due_at: next.length === 0 ? null : Math.min(...next),
      expired: first.expired + rest.expired,
      more: first.more || rest.more,
    } satisfies Claim
  })
  return (request, millis) => Planning.byKeyInOrder(sql, claim(request, millis))
}
