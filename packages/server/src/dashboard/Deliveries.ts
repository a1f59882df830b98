/** Every delivery of the account, with what it carried, and the catalogue of events. */
import { Dashboard } from "@tc/api"
import { Event, Sample } from "@tc/domain"
import { Deliveries, Events } from "@tc/store"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import * as Audit from "./Audit.ts"

const deliveries = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "deliveries",
  Effect.fnUntraced(function* (group) {
    const { get, list, retry } = yield* Deliveries
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
        return Responses.json({ ...delivery, body: kept === null ? null : Event.body(id, kept) })
      }),
      retry: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const delivery = yield* retry(account_id, id)
        yield* Audit.note("delivery.retried", { id, name: delivery.event })
        return Responses.json(delivery)
      }),
    })
  }),
)

const types = Event.all.map((name) => ({ name, description: Event.descriptions[name], sample: Sample.of(name) }))

const event_types = HttpApiBuilder.group(Dashboard.Dashboard, "event_types", (group) =>
  Effect.succeed(group.handleAll({ list: () => Effect.succeed(Responses.json({ data: types })) })),
)

export const layer = Layer.merge(deliveries, event_types)
