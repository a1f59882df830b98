/** Leases due deliveries to a worker. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Planning from "./Planning.ts"
import type { Claim, ClaimRequest, Job } from "../Deliveries.ts"

/** An endpoint in the order of the index: its account, and its id. */
type Place = readonly [account_id: string, endpoint_id: string]

/** Rows looked at for each row wanted, so that one endpoint's backlog does not fill the view. */
const SCAN_FACTOR = 4
/** Endpoints that one claim looks for behind what it sees. */
const WALK = 1_000
/** Before the first endpoint. */
const START: Place = ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"]
/** Of this many places, one is kept for retries while first attempts wait. */
const RETRY_SHARE = 4

/** The two classes, each with an index of its own. */
const isFirst = "due_at IS NOT NULL AND attempt_count = 0"
const isRetry = "due_at IS NOT NULL AND attempt_count > 0"

const columns = "account_id, id, endpoint_id, event_id, due_at, attempt_count > 0 AS retry"

/** Due rows of one class, in the order of its index. Rows that another claim holds are passed over. */
const scan = (isOfClass: string) => `
  SELECT ${columns} FROM tc.deliveries
  WHERE ${isOfClass} AND due_at <= $1 AND (account_id, endpoint_id) NOT IN (SELECT * FROM saturated)
  ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED`

// The CTEs are materialized: a sub-select with SKIP LOCKED may otherwise be run again for each row.
const text = `
  WITH RECURSIVE saturated AS MATERIALIZED (
    SELECT * FROM unnest($2::uuid[], $3::uuid[])
  ), fresh AS MATERIALIZED (${scan(isFirst)}), again AS MATERIALIZED (${scan(isRetry)}),
  seen AS MATERIALIZED (
    SELECT * FROM fresh UNION ALL SELECT * FROM again
  ), -- Where a scan is full, its rows may hide endpoints that come after, and there is room for some of these when it saw few.
  -- They are found one by one in an index, some at each claim, going on where the claim before stopped.
  endpoint AS (
    (SELECT account_id, endpoint_id, 1 AS nth FROM tc.deliveries
    WHERE due_at IS NOT NULL AND $4 IN ((SELECT count(*) FROM fresh), (SELECT count(*) FROM again))
      AND $6 > (SELECT count(*) FROM (SELECT DISTINCT account_id, endpoint_id FROM seen) AS s)
      AND (account_id, endpoint_id) > ($10::uuid, $11::uuid)
    ORDER BY account_id, endpoint_id LIMIT 1)
    UNION ALL
    SELECT n.*, e.nth + 1 FROM endpoint e, LATERAL (
      SELECT account_id, endpoint_id FROM tc.deliveries
      WHERE due_at IS NOT NULL AND (account_id, endpoint_id) > (e.account_id, e.endpoint_id)
      ORDER BY account_id, endpoint_id LIMIT 1
    ) AS n
    WHERE e.nth < ${WALK}
  ), hidden AS (
    SELECT o.* FROM endpoint e, LATERAL (
      SELECT account_id, id, due_at FROM tc.deliveries
      WHERE due_at IS NOT NULL AND due_at <= $1 AND account_id = e.account_id AND endpoint_id = e.endpoint_id
      ORDER BY due_at LIMIT 1
    ) AS o
    WHERE (e.account_id, e.endpoint_id) NOT IN (SELECT * FROM saturated)
      AND (e.account_id, e.endpoint_id) NOT IN (SELECT account_id, endpoint_id FROM seen)
    ORDER BY o.due_at, o.id LIMIT $6
  ), found AS MATERIALIZED (
    SELECT d.account_id, d.id, d.endpoint_id, d.event_id, d.due_at, d.attempt_count > 0 AS retry
    FROM hidden h JOIN tc.deliveries d ON d.account_id = h.account_id AND d.id = h.id AND d.due_at <= $1
    FOR UPDATE OF d SKIP LOCKED
  ), lanes AS (
    SELECT *, row_number() OVER (PARTITION BY account_id, endpoint_id ORDER BY retry, due_at, id) AS lane
    FROM (SELECT * FROM seen UNION ALL SELECT * FROM found) AS due
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY retry ORDER BY lane, due_at, id) AS rank FROM lanes WHERE lane <= $5
  ), chosen AS MATERIALIZED (
    SELECT account_id, id, event_id, row_number() OVER () AS place FROM (
      SELECT * FROM ranked
      ORDER BY CASE WHEN NOT retry THEN 1 WHEN rank <= $6::int / ${RETRY_SHARE} THEN 0 ELSE 2 END, rank LIMIT $6
    ) AS best
  ), sized AS MATERIALIZED (
    SELECT c.account_id, c.id, c.place, sum(octet_length(v.tail)) OVER (ORDER BY c.place) AS bytes
    FROM chosen c JOIN tc.events v ON v.account_id = c.account_id AND v.id = c.event_id
  ), leased AS (
    UPDATE tc.deliveries d SET status = 'delivering', lease = $7, due_at = $8, updated_at = $1, asked = false
    FROM sized c WHERE d.account_id = c.account_id AND d.id = c.id AND (c.bytes <= $9 OR c.place = 1)
    RETURNING c.place, d.account_id, d.id, d.endpoint_id, d.event_id, d.event, d.attempt_count, d.manual
  )
  SELECT l.account_id, l.id, l.endpoint_id, l.event, l.attempt_count + 1 AS attempt, l.manual, v.tail, e.url, e.secret,
    (SELECT ARRAY[account_id, endpoint_id]::text[] FROM endpoint WHERE nth = ${WALK}) AS stopped
  FROM leased l
  JOIN tc.events v ON v.account_id = l.account_id AND v.id = l.event_id
  LEFT JOIN tc.webhook_endpoints e ON e.account_id = l.account_id AND e.id = l.endpoint_id AND e.status = 'active'
  ORDER BY l.attempt_count > 0, l.place`

/** When the next falls due of those that this claim did not get. */
const soonest = (isOfClass: string) =>
  `(SELECT due_at FROM tc.deliveries WHERE ${isOfClass} AND due_at > $1 AND lease IS DISTINCT FROM $2 ORDER BY due_at LIMIT 1)`

const nextText = `SELECT min(due_at) AS next FROM (${soonest(isFirst)} UNION ALL ${soonest(isRetry)}) AS soonest`

/** A row of the claim. Without a URL, its endpoint is not active any more. */
type Leased = Omit<Job, "lease" | "lease_until" | "url" | "secret"> & {
  readonly url: string | null
  readonly secret: string | null
  /** Where the search for endpoints stopped, the same in all rows; null where it came to the last. */
  readonly stopped: Place | null
}

/** Leases what is due. One transaction: what fails leases nothing. */
export const make = (
  sql: SqlClient.SqlClient,
): ((request: ClaimRequest, millis: number) => Effect.Effect<Claim, SqlError.SqlError>) => {
  let from = START

  const claim = Effect.fnUntraced(function* (request: ClaimRequest, millis: number) {
    const now = new Date(millis).toISOString()
    const lease = crypto.randomUUID()
    const lease_until = millis + request.lease_ms
    const rows = yield* sql.unsafe<Leased>(text, [
      now,
      request.saturated.map(({ account_id }) => account_id),
      request.saturated.map(({ endpoint_id }) => endpoint_id),
      request.limit * SCAN_FACTOR,
      request.per_endpoint,
      request.limit,
      lease,
      new Date(lease_until).toISOString(),
      request.max_bytes,
      ...from,
    ])
    from = rows[0]?.stopped ?? START
    const active = rows.flatMap(({ stopped: _stopped, url, secret, ...row }): ReadonlyArray<Job> =>
      url === null || secret === null ? [] : [{ ...row, url, secret, lease, lease_until }],
    )
    if (active.length < rows.length) {
      const left = rows.filter(({ url }) => url === null)
      yield* sql`
        UPDATE tc.deliveries d SET status = 'canceled', due_at = NULL, lease = NULL, updated_at = ${now}
        FROM unnest(${left.map(({ account_id }) => account_id)}::uuid[], ${left.map(({ id }) => id)}::uuid[]) AS g (account_id, id)
        WHERE d.account_id = g.account_id AND d.id = g.id AND d.lease = ${lease}`
    }
    const [soonest] = yield* sql.unsafe<{ readonly next: Date | null }>(nextText, [now, lease])
    return { jobs: active, next_due_at: soonest?.next?.getTime() ?? null } satisfies Claim
  })
  return (request, millis) => Planning.byKey(sql, claim(request, millis))
}
