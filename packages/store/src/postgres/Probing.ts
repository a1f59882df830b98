/** The one delivery that an endpoint gets to show whether it answers. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Endpoint, Job, ProbeRequest } from "../Deliveries.ts"
import * as Gates from "./Gates.ts"
import * as Handovers from "./Handovers.ts"
import * as Leasing from "./Leasing.ts"
import * as Planning from "./Planning.ts"
import type { Watermark } from "./Watermark.ts"

const isIts = "account_id = w.account_id AND endpoint_id = w.endpoint_id AND due_at IS NOT NULL AND due_at <= $1"

// Each branch reads the head of an index: without the order of that one the planner may read all of another. The last needs
// not leave out retries: had one been due, it had been found before.
const text = `
  WITH wanted AS MATERIALIZED (
    SELECT w.*, e.url, e.secret
    FROM unnest($2::uuid[], $3::uuid[], $4::boolean[]) WITH ORDINALITY AS w (account_id, endpoint_id, ready, place)
    JOIN tc.webhook_endpoints e ON e.account_id = w.account_id AND e.id = w.endpoint_id AND e.status = 'active'
      AND NOT e.ordered AND e.max_per_second IS NULL
  ), ${Gates.asked("account_id, endpoint_id, id, event_id")}, found AS MATERIALIZED (
    SELECT DISTINCT ON (w.place) w.account_id, c.id, c.event_id, w.place FROM wanted w, LATERAL (
      SELECT id, event_id, 1 AS rank FROM asked WHERE account_id = w.account_id AND endpoint_id = w.endpoint_id
      UNION ALL
      (SELECT id, event_id, 2 FROM tc.deliveries WHERE ${isIts} AND w.ready AND retry ORDER BY id LIMIT 1)
      UNION ALL
      (SELECT id, event_id, 3 FROM tc.deliveries WHERE ${isIts} AND w.ready ORDER BY due_at LIMIT 1)
    ) AS c ORDER BY w.place, c.rank, c.id
  ), locked AS MATERIALIZED (
    SELECT f.*, d.status = 'delivering' AS expired FROM found f JOIN tc.deliveries d ON d.account_id = f.account_id AND d.id = f.id
    WHERE ${Leasing.isDue("d", "$1")} FOR UPDATE OF d SKIP LOCKED
  ), ${Leasing.handed({ now: "$1", lease: "$5", until: "$6", max_bytes: "$7" })}
  SELECT l.account_id, l.id, l.endpoint_id, l.event, l.attempt, l.manual, false AS paced, l.tail, w.url, w.secret
  FROM leased l JOIN wanted w USING (account_id, endpoint_id)`

const keyOf = ({ account_id, endpoint_id }: Endpoint): string => `${account_id}/${endpoint_id}`

/** Leases what those get that are gated. Part of a transaction. */
const gated = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { endpoints, max_bytes, lease_ms }: ProbeRequest,
  millis: number,
) {
  const locked = yield* Gates.lock(sql, endpoints)
  const terms = { limit: locked.length, per_endpoint: 1, max_bytes, lease_ms }
  const asked = yield* Gates.lease(sql, "asked", locked, terms, millis)
  const ready = new Set(endpoints.filter((endpoint) => endpoint.ready).map(keyOf))
  for (const job of asked.jobs) ready.delete(keyOf(job))
  const others = locked.filter((endpoint) => ready.has(keyOf(endpoint)))
  const due = yield* Gates.lease(sql, "due", others, terms, millis)
  return [...asked.jobs, ...due.jobs]
})

/** One transaction: what fails leases nothing. */
export const probe = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  watermark: Watermark,
  request: ProbeRequest,
  millis: number,
) {
  const { endpoints, max_bytes, lease_ms } = request
  const lease = crypto.randomUUID()
  const lease_until = millis + lease_ms
  const now = new Date(millis).toISOString()
  const free = sql.unsafe<Omit<Job, "lease" | "lease_until">>(text, [
    now,
    ...Gates.columnsOf(endpoints),
    endpoints.map(({ ready }) => ready),
    lease,
    new Date(lease_until).toISOString(),
    max_bytes,
  ])
  const work = Effect.all({
    reclaimed: Handovers.reclaim(sql, watermark, millis),
    rows: free,
    its: gated(sql, request, millis),
  })
  const { rows, its } = yield* Planning.byKeyInOrder(sql, work)
  return [...rows.map((row): Job => ({ ...row, lease, lease_until })), ...its]
})
