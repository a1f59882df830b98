/** Recoveries: asked for here, done by the workers. */
import { Api } from "@tc/api"
import { Recovery, Value, WebhookEndpoint } from "@tc/domain"
import { Recoveries, WebhookEndpoints } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "./Crud.ts"
import * as Responses from "./Responses.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "recoveries",
  Effect.fnUntraced(function* (group) {
    const endpoints = yield* WebhookEndpoints
    const recoveries = yield* Recoveries
    return group.handleAll({
      create: ({ params: { id }, payload }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            const now = Value.timestamp(yield* Clock.currentTimeMillis)
            const window = yield* Effect.fromResult(Recovery.window(payload, now))
            const recovery = yield* recoveries.create(account_id, id, { ...window, events: payload.events ?? null })
            const endpoint = Crud.locationOf(WebhookEndpoint.resource, { ...recovery, id })
            return Responses.accepted(`${endpoint}/recoveries/${recovery.id}`, recovery)
          }),
        ),
      list: ({ params: { id }, query }) =>
        Crud.asAccount((account_id) =>
          Effect.andThen(
            endpoints.get(account_id, id),
            Effect.map(recoveries.list(account_id, id, query), (page) => Responses.json(page)),
          ),
        ),
      get: ({ params: { id, recovery_id } }) =>
        Crud.asAccount((account_id) =>
          Effect.andThen(
            endpoints.get(account_id, id),
            Effect.map(recoveries.get(account_id, id, recovery_id), (recovery) => Responses.json(recovery)),
          ),
        ),
    })
  }),
)
