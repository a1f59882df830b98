/** Recoveries: asked for here, done by the workers. */
import { Api } from "@tc/api"
import { type Errors, type Id, Recovery, Value, WebhookEndpoint } from "@tc/domain"
import { Recoveries, WebhookEndpoints } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "./Crud.ts"
import * as Responses from "./Responses.ts"

/** Asks for a recovery of what an endpoint missed. */
export const ask = Effect.fnUntraced(function* (
  account_id: Id.AccountId,
  id: Id.WebhookEndpointId,
  { events = null, ...span }: Recovery.RecoveryCreate,
): Effect.fn.Return<Recovery.Recovery, Errors.NotFound | Errors.Conflict | Errors.Invalid, Recoveries> {
  const now = Value.timestamp(yield* Clock.currentTimeMillis)
  const window = yield* Effect.fromResult(Recovery.window(span, now))
  return yield* (yield* Recoveries).create(account_id, id, { ...window, events })
})

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
            const recovery = yield* ask(account_id, id, payload)
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
