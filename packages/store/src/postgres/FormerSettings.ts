/** What endpoints were before they were changed, and what attempts were sent with, in PostgreSQL. */
import { Errors, Id, Limits, Value, type WebhookEndpoint } from "@tc/domain"
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type EndpointSettings, find, markOf, replaced, type SentWith } from "../EndpointSettings.ts"
import * as Ids from "../Ids.ts"
import * as Planning from "./Planning.ts"
import { plain } from "./Table.ts"

type Row = WebhookEndpoint.WebhookEndpoint

/** The rows before are seen without the new one, which the bound has to have room for. */
const keepText = `
  WITH over AS MATERIALIZED (
    SELECT account_id, id FROM tc.former_settings
    WHERE account_id = $1 AND endpoint_id = $3 ORDER BY id DESC OFFSET ${Limits.FORMER_SETTINGS_MAX - 1}
  ), forgotten AS (
    DELETE FROM tc.former_settings f USING over o WHERE f.account_id = o.account_id AND f.id = o.id
  )
  INSERT INTO tc.former_settings (account_id, id, endpoint_id, url, secret, until) VALUES ($1, $2, $3, $4, $5, $6)`

/**
 * A time with the mark of what an attempt was sent with as its microseconds, which it has none of. A column would cost every
 * attempt 8 bytes.
 */
export const marked = (started_at: string, settings: EndpointSettings): string =>
  `${started_at.slice(0, -1)}${String(markOf(settings)).padStart(3, "0")}Z`

/** What happens in the transaction that changes an endpoint. What it was goes with the endpoint by its foreign key. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nextId = Ids.make()
  return (before: Row, after: Row | null, now: string): Effect.Effect<void, SqlError.SqlError> => {
    const settings = after === null ? undefined : replaced(before, after, now)
    if (settings === undefined) return Effect.void
    const { url, secret, until } = settings
    const params = [before.account_id, nextId(Date.parse(now)), before.id, url, secret, until]
    return Effect.asVoid(Planning.byKey(sql, sql.unsafe(keepText, params)))
  }
})

const decodeAttempt = Schema.decodeUnknownSync(Schema.Struct({ started_at: Value.Timestamp, mark: Value.Count }))
const settings = { url: Schema.String, secret: Schema.String }
const decodeEndpoint = Schema.decodeUnknownSync(
  Schema.Union([
    Schema.Struct({ endpoint_id: Id.WebhookEndpointId.id, ...settings }),
    Schema.Struct({ endpoint_id: Id.WebhookEndpointId.id, url: Schema.Null }),
  ]),
)
const decodeFormer = Schema.decodeUnknownSync(Schema.Struct({ ...settings, until: Value.Timestamp }))

/** Attempts are read before the endpoint, and that before what it was: so each of them finds its own among the others. */
export const sentWith = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  account_id: Id.AccountId,
  id: Id.DeliveryId,
): Effect.fn.Return<SentWith | null, Errors.NotFound | SqlError.SqlError> {
  const attempts = yield* sql<object>`
    SELECT date_trunc('milliseconds', started_at) AS started_at, extract(microseconds FROM started_at)::int % 1000 AS mark
    FROM tc.attempts WHERE account_id = ${account_id} AND delivery_id = ${id} ORDER BY number`
  const [found] = yield* sql<object>`
    SELECT d.endpoint_id, e.url, e.secret
    FROM tc.deliveries d LEFT JOIN tc.webhook_endpoints e ON e.account_id = d.account_id AND e.id = d.endpoint_id
    WHERE d.account_id = ${account_id} AND d.id = ${id}`
  if (found === undefined) return yield* Errors.notFound("delivery", id)
  const { endpoint_id, ...present } = decodeEndpoint(found)
  if (present.url === null) return null
  const rows = yield* sql<object>`
    SELECT url, secret, until FROM tc.former_settings
    WHERE account_id = ${account_id} AND endpoint_id = ${endpoint_id} ORDER BY id`
  const former = rows.map((row) => decodeFormer(plain(row)))
  return { present, attempts: attempts.map((attempt) => find(decodeAttempt(plain(attempt)), present, former)) }
})
