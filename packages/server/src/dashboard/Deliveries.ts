/** Every delivery of the account, with what it carried. */
import { Dashboard } from "@tc/api"
import { Event } from "@tc/domain"
import { Deliveries, Events } from "@tc/store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import * as SentHeaders from "../SentHeaders.ts"
import * as Audit from "./Audit.ts"

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "deliveries",
  Effect.fnUntraced(function* (group) {
    const { get, list, retry, sentWith } = yield* Deliveries
    const { tail } = yield* Events
    return group.handleAll({
      list: ({ query }) =>
        Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
          Effect.map(list(account_id, query), (page) => Responses.json(page)),
        ),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const delivery = yield* get(account_id, id)
        const kept = yield* tail(account_id, delivery.event_id)
        const body = kept === null ? null : Event.body(id, kept)
        const sent = yield* sentWith(account_id, id)
        const headersOf = yield* SentHeaders.make({ ...delivery, body }, sent?.present ?? null)
        const attempts = yield* Effect.forEach(delivery.attempts, (attempt, nth) =>
          Effect.map(headersOf({ ...attempt, settings: sent?.attempts[nth] ?? null }), (headers) => ({
            ...attempt,
            ...headers,
          })),
        )
        return Responses.json({ ...delivery, attempts, body })
      }),
      retry: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const delivery = yield* Audit.changed("delivery.retried", retry(account_id, id), ({ event }) => ({
          id,
          name: event,
        }))
        return Responses.json(delivery)
      }),
    })
  }),
)
