/** Deliveries in PostgreSQL. */
import { Delivery, Errors } from "@tc/domain"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Deliveries.ts"
import * as Claiming from "./Claiming.ts"
import { show } from "./Delivery.ts"
import * as Failure from "./Failure.ts"
import * as FormerSettings from "./FormerSettings.ts"
import * as Listing from "./Listing.ts"
import { Notices } from "./Notices.ts"
import { Outbox } from "./Outbox.ts"
import { probe } from "./Probing.ts"
import * as Requeuing from "./Requeuing.ts"
import * as Settling from "./Settling.ts"
import { stats } from "./Stats.ts"
import { plain } from "./Table.ts"
import { Watermark } from "./Watermark.ts"

const decodeAttempt = Schema.decodeUnknownSync(Delivery.Attempt)

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

/** When a delivery is due again, in milliseconds since 1970; `Infinity` where it is not. */
const againAt = (outcome: Service.Outcome): number =>
  typeof outcome === "object" ? Date.parse(outcome.retry_at) : Infinity

export const layer = Layer.effect(
  Service.Deliveries,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notices = yield* Notices
    const settle = yield* Settling.make
    const watermark = new Watermark()
    const claim = Claiming.make(sql, watermark)

    return Service.Deliveries.of({
      claim: (request) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => claim(request, millis)).pipe(Failure.again, Failure.orDie),
      settle: (settlements, streak) =>
        Effect.flatMap(now, (at) => settle(settlements, streak, at)).pipe(
          Effect.tap(Effect.sync(() => settlements.forEach(({ outcome }) => watermark.add(againAt(outcome))))),
          Failure.again,
          Failure.orDie,
        ),
      probe: (request) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => probe(sql, watermark, request, millis)).pipe(
          Failure.again,
          Failure.orDie,
        ),
      release: (jobs) =>
        Requeuing.release(sql, jobs).pipe(
          Effect.tap(Effect.sync(() => jobs.forEach(({ due_at = Infinity }) => watermark.add(due_at)))),
          Failure.again,
          Failure.orDie,
        ),
      list: (account_id, request) => Listing.list(sql, account_id, request).pipe(Failure.orDie),
      get: (account_id, id) =>
        Effect.gen(function* () {
          const [found] =
            yield* sql<object>`SELECT * FROM tc.deliveries WHERE account_id = ${account_id} AND id = ${id}`
          if (found === undefined) return yield* Errors.notFound("delivery", id)
          const attempts =
            yield* sql<object>`SELECT number, date_trunc('milliseconds', started_at) AS started_at, duration_ms, status_code, error, response_excerpt
            FROM tc.attempts WHERE account_id = ${account_id} AND delivery_id = ${id} ORDER BY number`
          return { ...show(found), attempts: attempts.map((attempt) => decodeAttempt(plain(attempt))) }
        }).pipe(Failure.orDie),
      sentWith: (account_id, id) => FormerSettings.sentWith(sql, account_id, id).pipe(Failure.orDie),
      retry: (account_id, id) =>
        sql.withTransaction(Requeuing.retry(sql, notices, account_id, id)).pipe(Failure.again, Failure.orDie),
      stats: Effect.flatMap(Clock.currentTimeMillis, (millis) => stats(sql, watermark, millis)).pipe(Failure.orDie),
    })
  }),
).pipe(Layer.provide(Outbox.layer))
