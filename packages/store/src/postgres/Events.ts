/** Events in PostgreSQL. */
import { Event, Limits, Page } from "@tc/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Events.ts"
import * as Sizes from "../Sizes.ts"
import * as Failure from "./Failure.ts"
import { history } from "./History.ts"
import { Outbox } from "./Outbox.ts"

export const layer = Layer.effect(
  Service.Events,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const outbox = yield* Outbox
    return Service.Events.of({
      emit: (account_id, event) => outbox.emit(account_id, Event.raisedOf(event)).pipe(Failure.orDie),
      list: (account_id, request) =>
        Effect.gen(function* () {
          const filter = sql.and([
            sql`account_id = ${account_id}`,
            ...(request.event === undefined ? [] : [sql`event = ${request.event}`]),
          ])
          const { max_bytes = Limits.LIST_MAX_BYTES } = request
          // Where they are too large together, the texts are not read.
          const rows = yield* sql<{ readonly id: string; readonly tail: string; readonly bytes: number }>`
            SELECT id, bytes, CASE WHEN bytes <= ${max_bytes} THEN tail END AS tail FROM (
              SELECT id, tail, (sum(octet_length(tail)) OVER ())::float8 AS bytes FROM (
                SELECT id, tail FROM tc.events WHERE ${filter}
                ORDER BY id DESC LIMIT ${request.per_page} OFFSET ${(request.page - 1) * request.per_page}
              ) AS found
            ) AS sized ORDER BY id DESC`
          if ((rows[0]?.bytes ?? 0) > max_bytes) return yield* Sizes.pageTooLarge(max_bytes)
          const [count] = yield* sql<{
            readonly total: number
          }>`SELECT count(*)::int AS total FROM tc.events WHERE ${filter}`
          // The text was written by this package and is shown as it was sent.
          const events = rows.map(({ id, tail }) => JSON.parse(Event.body(id, tail)) as Event.Event)
          return Page.make(request, events, count!.total)
        }).pipe(Failure.orDie),
      history: (account_id, request) => history(sql, account_id, request).pipe(Failure.orDie),
      tail: (account_id, id) =>
        sql<{ readonly tail: string }>`SELECT tail FROM tc.events WHERE account_id = ${account_id} AND id = ${id}`.pipe(
          Effect.map(([row]) => row?.tail ?? null),
          Failure.orDie,
        ),
    })
  }),
).pipe(Layer.provide(Outbox.layer))
