/** The statement that keeps events and gives each active endpoint that wants one a delivery. */
import type { Id } from "@tc/domain"
import type { Job } from "../Deliveries.ts"
import type { Handoff, Lease } from "../Handoff.ts"
import * as Delivery from "./Delivery.ts"
import { positionIn } from "./Gates.ts"
import * as Handovers from "./Handovers.ts"
import type { Statement } from "./Table.ts"

/** An event to keep. */
export interface Told {
  readonly account_id: Id.AccountId
  readonly id: string
  readonly event: string
  readonly tail: string
}

/** The deliveries of one endpoint as they are born; the rest of their jobs is known from their events. */
export interface Born {
  readonly endpoint_id: Id.WebhookEndpointId
  readonly url: string
  readonly secret: string
  /** Whether they were born pending, to wait their turn. */
  readonly waits: boolean
  /** The ids of the deliveries and those of their events, in the same order, with commas between. */
  readonly ids: string
  readonly events: string
}

/** What the statement answers of the deliveries, by how many events there are. */
const answered = {
  // No endpoint has two of them: there is nothing to gather.
  one: "SELECT account_id, endpoint_id, waits, id::text AS ids, event_id::text AS events FROM born",
  // By endpoint: its URL and its secret are large.
  several: `
    SELECT account_id, endpoint_id, waits, string_agg(id::text, ',') AS ids, string_agg(event_id::text, ',') AS events
    FROM born GROUP BY account_id, endpoint_id, waits`,
}

/** The text, its `$n` counting on from the parameters of the write before it. */
const raising = (written: number, answer: string): string => {
  const [now, accounts, ids, events, tails, status, due, lease, until] = Array.from(
    { length: 9 },
    (_, n) => `$${written + n + 1}`,
  )
  return `raised AS (
    INSERT INTO tc.events (account_id, id, event, occurred_at, tail)
    SELECT u.account_id, u.id, u.event, ${now}, u.tail
    FROM unnest(${accounts}::uuid[], ${ids}::uuid[], ${events}::text[], ${tails}::text[]) AS u (account_id, id, event, tail)
    RETURNING account_id, id, event
  ), born AS (
    INSERT INTO tc.deliveries (account_id, id, event_id, endpoint_id, event, status, attempt_count, due_at, lease, lease_until, position, created_at, updated_at)
    SELECT e.account_id, ${Delivery.idOf("r.id")}, r.id, e.id, r.event, CASE WHEN p.position IS NULL THEN ${status} ELSE 'pending' END, 0,
      CASE WHEN p.position IS NULL THEN ${due}::timestamptz ELSE coalesce(${due}::timestamptz, ${now}::timestamptz) END,
      CASE WHEN p.position IS NULL THEN ${lease}::text END, CASE WHEN p.position IS NULL THEN ${until}::timestamptz END,
      p.position, ${now}, ${now}
    FROM raised r JOIN tc.webhook_endpoints e
      ON e.account_id = r.account_id AND e.status = 'active' AND (e.events ? '*' OR e.events ? r.event)
    CROSS JOIN LATERAL (SELECT ${positionIn("statement_timestamp()")}) AS p (position)
    RETURNING account_id, id, event_id, endpoint_id, position IS NOT NULL AS waits
  ), handed AS (${Handovers.remember("(SELECT * FROM born WHERE NOT waits) AS held", lease!, until!)})
  SELECT b.endpoint_id, e.url, e.secret, b.waits, b.ids, b.events
  FROM (${answer}) AS b JOIN tc.webhook_endpoints e ON e.account_id = b.account_id AND e.id = b.endpoint_id`
}

const texts = { one: new Map<string, string>(), several: new Map<string, string>() }

/** The whole text for a write with one event or several, made once for each text of a write. */
const textOf = (write: Statement | null, count: keyof typeof texts): string => {
  const key = write?.text ?? ""
  const known = texts[count].get(key)
  if (known !== undefined) return known
  const raised = raising(write?.params.length ?? 0, answered[count])
  const text = write === null ? `WITH ${raised}` : `WITH written AS (${write.text}), ${raised}`
  texts[count].set(key, text)
  return text
}

/** A write with the events it raises. Under a lease the deliveries are born in the hands of its holder. */
export const statement = (
  write: Statement | null,
  told: ReadonlyArray<Told>,
  millis: number,
  { delay_ms }: Pick<Handoff, "delay_ms">,
  lease: Lease | null,
): Statement => ({
  text: textOf(write, told.length === 1 ? "one" : "several"),
  params: [
    ...(write?.params ?? []),
    new Date(millis).toISOString(),
    told.map(({ account_id }) => account_id),
    told.map(({ id }) => id),
    told.map(({ event }) => event),
    told.map(({ tail }) => tail),
    lease === null ? "pending" : "delivering",
    lease === null ? new Date(millis + delay_ms).toISOString() : null,
    lease?.lease ?? null,
    lease === null ? null : new Date(lease.lease_until).toISOString(),
  ],
})

/** The jobs of deliveries born under a lease, in the order of their events. */
export const jobs = (born: ReadonlyArray<Born>, told: ReadonlyArray<Told>, lease: Lease): ReadonlyArray<Job> => {
  const byEvent = new Map(told.map((one) => [one.id, { ...one, jobs: new Array<Job>() }]))
  for (const { endpoint_id, url, secret, waits, ids, events } of born) {
    if (waits) continue
    const of = events.split(",")
    for (const [nth, id] of ids.split(",").entries()) {
      const { account_id, event, tail, jobs } = byEvent.get(of[nth]!)!
      jobs.push({
        account_id,
        id: id as Id.DeliveryId,
        endpoint_id,
        event,
        tail,
        url,
        secret,
        attempt: 1,
        manual: false,
        paced: false,
        lease: lease.lease,
        lease_until: lease.lease_until,
      })
    }
  }
  return [...byEvent.values()].flatMap(({ jobs }) => jobs)
}
