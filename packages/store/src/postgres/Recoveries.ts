/** Recoveries in PostgreSQL. */
import { Errors, type Id, Page } from "@tc/domain"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Handoff } from "../Handoff.ts"
import * as Ids from "../Ids.ts"
import * as Progress from "../Progress.ts"
import * as Service from "../Recoveries.ts"
import * as Refusals from "../Refusals.ts"
import * as Failure from "./Failure.ts"
import * as Planning from "./Planning.ts"
import * as Recovering from "./Recovering.ts"

/** One whose lease ran out is due like one that waits. */
const claimText = `
  WITH next AS MATERIALIZED (
    SELECT account_id, id FROM tc.recoveries WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  UPDATE tc.recoveries r SET status = 'running', lease = $2, due_at = $3, updated_at = $1
  FROM next n WHERE r.account_id = n.account_id AND r.id = n.id
  RETURNING r.account_id, r.endpoint_id, r.id, r.lease`

const create = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: string,
  account_id: Id.AccountId,
  endpoint_id: Id.WebhookEndpointId,
  { since, until, events }: Service.Wanted,
  now: string,
) {
  const [endpoint] = yield* sql<{ readonly status: string; readonly events: ReadonlyArray<string> }>`
    SELECT status, events FROM tc.webhook_endpoints WHERE account_id = ${account_id} AND id = ${endpoint_id} FOR SHARE`
  if (endpoint === undefined) return yield* Errors.notFound("webhook_endpoint", endpoint_id)
  if (endpoint.status !== "active") return yield* Refusals.endpointNotActive()
  const row = {
    account_id,
    id,
    endpoint_id,
    status: "pending",
    since,
    until,
    events: JSON.stringify(events ?? endpoint.events),
    event_count: 0,
    delivery_count: 0,
    created_at: now,
    updated_at: now,
    cursor: Progress.start(since),
    due_at: now,
  }
  const [made] = yield* sql<object>`INSERT INTO tc.recoveries ${sql.insert(row)}
    ON CONFLICT (account_id, endpoint_id) WHERE due_at IS NOT NULL DO NOTHING RETURNING *`
  return made === undefined ? yield* Refusals.recoveryInProgress() : Recovering.show(made)
})

export const layer = Layer.effect(
  Service.Recoveries,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const nextId = Ids.make()
    const advance = Recovering.make(sql, yield* Handoff)

    return Service.Recoveries.of({
      create: (account_id, endpoint_id, wanted) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) =>
          create(sql, nextId(millis), account_id, endpoint_id, wanted, new Date(millis).toISOString()),
        ).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      list: (account_id, endpoint_id, request) =>
        Effect.gen(function* () {
          const filter = sql`account_id = ${account_id} AND endpoint_id = ${endpoint_id}`
          const rows = yield* sql<object>`SELECT * FROM tc.recoveries WHERE ${filter}
            ORDER BY id DESC LIMIT ${request.per_page} OFFSET ${(request.page - 1) * request.per_page}`
          const [count] = yield* sql<{
            readonly total: number
          }>`SELECT count(*)::int AS total FROM tc.recoveries WHERE ${filter}`
          return Page.make(request, rows.map(Recovering.show), count!.total)
        }).pipe(Failure.orDie),
      get: (account_id, endpoint_id, id) =>
        Effect.gen(function* () {
          const [found] = yield* sql<object>`SELECT * FROM tc.recoveries
            WHERE account_id = ${account_id} AND id = ${id} AND endpoint_id = ${endpoint_id}`
          return found === undefined ? yield* Errors.notFound("recovery", id) : Recovering.show(found)
        }).pipe(Failure.orDie),
      claim: (lease_ms) =>
        Effect.gen(function* () {
          const millis = yield* Clock.currentTimeMillis
          const [now, until] = [millis, millis + lease_ms].map((at) => new Date(at).toISOString())
          const [claimed] = yield* sql.unsafe<Service.Claimed>(claimText, [now, crypto.randomUUID(), until])
          return claimed ?? null
        }).pipe(Failure.again, Failure.orDie),
      advance: (claimed, request) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) =>
          Planning.byKey(sql, advance(claimed, request, millis)),
        ).pipe(Failure.again, Failure.orDie),
    })
  }),
)
