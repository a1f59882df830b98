/** Removes what is old from PostgreSQL, by ranges of keys: a batch reads what it removes, and little else. */
import { Id } from "@tc/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Retention.ts"
import * as Delivery from "./Delivery.ts"
import * as Failure from "./Failure.ts"
import * as Planning from "./Planning.ts"

type Table = Service.Place["table"]

/** Names the advisory lock that lets one process prune at a time. */
const LOCK = 7_463_210_003
/** Accounts that one statement walks through at most: most may have nothing that is old. */
const WALK = 1_000

const LEAST = "00000000-0000-0000-0000-000000000000"
const GREATEST = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** What comes after what: deliveries before the events that they need, and what they were sent with. */
const after: { readonly [T in Table]: Table | null } = {
  deliveries: "events",
  events: "recoveries",
  recoveries: "former_settings",
  former_settings: null,
}

/**
 * The old rows of a table that come next, in the order of its primary key. Accounts are found one by one in that index, so
 * that no row is read for being looked at but those that are old.
 */
const walk = (table: Table) => `
  WITH RECURSIVE account AS (
    (SELECT account_id, 1 AS nth FROM tc.${table} WHERE account_id >= $1 ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT n.account_id, a.nth + 1 FROM account a, LATERAL (
      SELECT account_id FROM tc.${table} WHERE account_id > a.account_id ORDER BY account_id LIMIT 1
    ) AS n
    WHERE a.nth < ${WALK}
  ), old AS MATERIALIZED (
    SELECT o.* FROM account a, LATERAL (
      SELECT account_id, id FROM tc.${table}
      WHERE account_id = a.account_id AND (account_id, id) > ($1, $2) AND id < $3 ORDER BY id LIMIT $4
    ) AS o
    LIMIT $4
  ), place AS (
    -- The last that was looked at; where there were fewer than asked for, the last account that was walked to.
    (SELECT account_id, id FROM old WHERE (SELECT count(*) FROM old) = $4 ORDER BY account_id DESC, id DESC LIMIT 1)
    UNION ALL
    (SELECT account_id, '${GREATEST}'::uuid FROM account WHERE nth = ${WALK} AND (SELECT count(*) FROM old) < $4)
  )`

/** How many rows were removed, and where to go on. */
const answer =
  "SELECT (SELECT count(*)::int FROM removed) AS removed, p.account_id, p.id FROM (SELECT 1) AS one LEFT JOIN place p ON true"

/** A delivery that a person retries just now is passed over, and so none is removed that has not ended. */
const deliveriesText = `${walk("deliveries")}, ended AS MATERIALIZED (
    SELECT d.account_id, d.id FROM old o JOIN tc.deliveries d ON d.account_id = o.account_id AND d.id = o.id
    WHERE d.due_at IS NULL AND d.status <> 'delivering' FOR UPDATE OF d SKIP LOCKED
  ), attempts AS (
    DELETE FROM tc.attempts a USING ended e WHERE a.account_id = e.account_id AND a.delivery_id = e.id
  ), removed AS (
    DELETE FROM tc.deliveries d USING ended e WHERE d.account_id = e.account_id AND d.id = e.id RETURNING d.id
  )
  ${answer}`

const recoveriesText = `${walk("recoveries")}, removed AS (
    DELETE FROM tc.recoveries r USING old o
    WHERE r.account_id = o.account_id AND r.id = o.id AND r.due_at IS NULL RETURNING r.id
  )
  ${answer}`

const formerText = `${walk("former_settings")}, removed AS (
    DELETE FROM tc.former_settings f USING old o WHERE f.account_id = o.account_id AND f.id = o.id RETURNING f.id
  )
  ${answer}`

/** The length of a text is known without reading it. */
const eventsText = `${walk("events")}, locked AS MATERIALIZED (
    SELECT v.account_id, v.id, octet_length(v.tail) AS bytes
    FROM old o JOIN tc.events v ON v.account_id = o.account_id AND v.id = o.id FOR UPDATE OF v SKIP LOCKED
  ), sized AS (
    SELECT account_id, id, row_number() OVER inOrder AS nth, sum(bytes) OVER inOrder AS bytes
    FROM locked WINDOW inOrder AS (ORDER BY account_id, id)
  )
  SELECT array_agg(s.account_id ORDER BY s.nth)::text[] AS accounts, array_agg(s.id ORDER BY s.nth)::text[] AS ids,
    (SELECT count(*)::int FROM locked) AS locked,
    (SELECT account_id FROM place) AS account_id, (SELECT id FROM place) AS id
  FROM sized s WHERE s.nth = 1 OR s.bytes <= $5`

/** The deliveries of an event are a range of the primary key, for their ids begin as its own. */
const removeText = `
  DELETE FROM tc.events v USING unnest($1::uuid[], $2::uuid[]) AS o (account_id, id)
  WHERE v.account_id = o.account_id AND v.id = o.id AND NOT EXISTS (
    SELECT 1 FROM tc.deliveries d WHERE d.account_id = v.account_id AND ${Delivery.isOf("d", "v.id")}
  )
  RETURNING v.id`

/** What a batch runs: a test looks at how the database goes about it. */
export const texts = {
  deliveries: deliveriesText,
  events: eventsText,
  remove: removeText,
  recoveries: recoveriesText,
  former_settings: formerText,
} as const

interface Found {
  readonly account_id: string | null
  readonly id: string | null
}

interface Locked extends Found {
  readonly accounts: ReadonlyArray<string> | null
  readonly ids: ReadonlyArray<string> | null
  readonly locked: number
}

/** Where to go on in a table, or in the next one. */
const onwards = (table: Table, { account_id, id }: Found): Service.Place | null => {
  if (account_id !== null && id !== null) return { table, account_id, id }
  const next = after[table]
  return next === null ? null : { table: next, account_id: LEAST, id: LEAST }
}

const make = (sql: SqlClient.SqlClient) => {
  const ended = Effect.fnUntraced(function* (table: Exclude<Table, "events">, params: ReadonlyArray<unknown>) {
    const [found] = yield* sql.unsafe<Found & { readonly removed: number }>(texts[table], params)
    return { removed: found!.removed, next: onwards(table, found!) }
  })

  /**
   * Events are locked first, and looked at for deliveries by a statement of its own: it sees those of whoever made some for
   * an old event meanwhile, and nobody makes any after.
   */
  const events = Effect.fnUntraced(function* (params: ReadonlyArray<unknown>) {
    const [found] = yield* sql.unsafe<Locked>(eventsText, params)
    const { accounts, ids, locked } = found!
    if (accounts === null || ids === null) return { removed: 0, next: onwards("events", found!) }
    const removed = yield* sql.unsafe(removeText, [accounts, ids])
    const isCut = ids.length < locked
    const last = isCut ? { account_id: accounts.at(-1)!, id: ids.at(-1)! } : found!
    return { removed: removed.length, next: onwards("events", last) }
  })

  return Effect.fnUntraced(function* ({ before, limit, max_bytes, from }: Service.PruneRequest) {
    const [lock] = yield* sql<{ readonly taken: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}::bigint) AS taken`
    if (!lock!.taken) return { removed: 0, next: null }
    const { table, account_id, id } = from ?? { table: "deliveries", account_id: LEAST, id: LEAST }
    const range = [account_id, id, Id.least(before), limit]
    return yield* table === "events" ? events([...range, max_bytes]) : ended(table, range)
  })
}

export const layer = Layer.effect(
  Service.Retention,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const prune = make(sql)
    return Service.Retention.of({
      prune: (request) => Planning.byKey(sql, prune(request)).pipe(Failure.again, Failure.orDie),
    })
  }),
)
