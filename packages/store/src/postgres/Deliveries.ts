/** Deliveries in PostgreSQL. */
import { Delivery, Errors, type Id, Page } from "@tc/domain"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Deliveries.ts"
import { Handoff } from "../Handoff.ts"
import * as Refusals from "../Refusals.ts"
import { claim } from "./Claiming.ts"
import * as Failure from "./Failure.ts"
import { Outbox } from "./Outbox.ts"
import * as Settling from "./Settling.ts"
import { plain } from "./Table.ts"

const decodeDelivery = Schema.decodeUnknownSync(Delivery.Delivery)
const decodeAttempt = Schema.decodeUnknownSync(Delivery.Attempt)

/** In the table one time says when a worker may take a delivery; people see it as what it means in each status. */
const show = (row: object): Delivery.Delivery => {
  const { due_at, ...rest } = plain(row)
  return decodeDelivery({
    ...rest,
    due_at: rest["status"] === "pending" ? due_at : null,
    lease_until: rest["status"] === "delivering" ? due_at : null,
  })
}

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

export const layer = Layer.effect(
  Service.Deliveries,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const handoff = yield* Handoff
    const settle = yield* Settling.make
    const active = sql`EXISTS (SELECT FROM tc.webhook_endpoints e
      WHERE e.account_id = d.account_id AND e.id = d.endpoint_id AND e.status = 'active')`

    const row = Effect.fnUntraced(function* (account_id: string, id: string, lock: string) {
      const [found] = yield* sql.unsafe<object>(
        `SELECT * FROM tc.deliveries WHERE account_id = $1 AND id = $2${lock}`,
        [account_id, id],
      )
      return found === undefined ? yield* Errors.notFound("delivery", id) : show(found)
    })

    const retry = Effect.fnUntraced(function* (account_id: Id.AccountId, id: Id.DeliveryId) {
      const delivery = yield* row(account_id, id, " FOR UPDATE")
      if (delivery.status === "delivering") return yield* Refusals.deliveryInProgress()
      const [endpoint] = yield* sql`SELECT 1 FROM tc.webhook_endpoints
        WHERE account_id = ${account_id} AND id = ${delivery.endpoint_id} AND status = 'active' FOR SHARE`
      if (endpoint === undefined) return yield* Refusals.endpointNotActive()
      const at = yield* now
      yield* sql`UPDATE tc.deliveries SET status = 'pending', due_at = ${at}, updated_at = ${at}
        WHERE account_id = ${account_id} AND id = ${id}`
      yield* sql.afterCommit(Effect.sync(handoff.wake))
      return { ...delivery, status: "pending" as const, due_at: at, updated_at: at }
    })

    return Service.Deliveries.of({
      claim: (request) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => claim(sql, request, millis)).pipe(
          Effect.catchTag("SqlError", Failure.die),
        ),
      settle: (settlements, streak) =>
        Effect.flatMap(now, (at) => settle(settlements, streak, at)).pipe(
          Effect.retry({ while: Failure.isCollision, times: 5 }),
          Effect.catchTag("SqlError", Failure.die),
        ),
      release: (jobs) =>
        Effect.flatMap(
          now,
          (at) => sql`
            UPDATE tc.deliveries d SET lease = NULL, updated_at = ${at},
              status = CASE WHEN ${active} THEN 'pending' ELSE 'canceled' END, due_at = CASE WHEN ${active} THEN ${at}::timestamptz END
            FROM unnest(${jobs.map((job) => job.account_id)}::uuid[], ${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ lease }) => lease)}::text[])
              AS g (account_id, id, lease)
            WHERE d.account_id = g.account_id AND d.id = g.id AND d.lease = g.lease AND d.status = 'delivering'`,
        ).pipe(Effect.catchTag("SqlError", Failure.die), Effect.asVoid),
      list: (account_id, request) =>
        Effect.gen(function* () {
          const filter = sql.and([
            sql`account_id = ${account_id}`,
            ...(request.endpoint_id === undefined ? [] : [sql`endpoint_id = ${request.endpoint_id}`]),
            ...(request.status === undefined ? [] : [sql`status = ${request.status}`]),
            ...(request.event === undefined ? [] : [sql`event = ${request.event}`]),
          ])
          const rows = yield* sql<object>`SELECT * FROM tc.deliveries WHERE ${filter}
            ORDER BY id DESC LIMIT ${request.per_page} OFFSET ${(request.page - 1) * request.per_page}`
          const [count] = yield* sql<{
            readonly total: number
          }>`SELECT count(*)::int AS total FROM tc.deliveries WHERE ${filter}`
          return Page.make(request, rows.map(show), count!.total)
        }).pipe(Effect.catchTag("SqlError", Failure.die)),
      get: (account_id, id) =>
        Effect.gen(function* () {
          const delivery = yield* row(account_id, id, "")
          const attempts =
            yield* sql<object>`SELECT number, started_at, duration_ms, status_code, error, response_excerpt
            FROM tc.attempts WHERE account_id = ${account_id} AND delivery_id = ${id} ORDER BY number`
          return { ...delivery, attempts: attempts.map((attempt) => decodeAttempt(plain(attempt))) }
        }).pipe(Effect.catchTag("SqlError", Failure.die)),
      retry: (account_id, id) =>
        sql
          .withTransaction(retry(account_id, id))
          .pipe(Effect.retry({ while: Failure.isCollision, times: 5 }), Effect.catchTag("SqlError", Failure.die)),
      stats: Effect.gen(function* () {
        const at = yield* now
        const [stats] = yield* sql<{ readonly due: number; readonly oldest: Date | null }>`
          SELECT count(*)::int AS due, min(due_at) AS oldest FROM tc.deliveries
          WHERE due_at IS NOT NULL AND due_at <= ${at}`
        return { due: stats!.due, oldest_due_at: stats!.oldest?.getTime() ?? null }
      }).pipe(Effect.catchTag("SqlError", Failure.die)),
    })
  }),
).pipe(Layer.provide(Outbox.layer))
