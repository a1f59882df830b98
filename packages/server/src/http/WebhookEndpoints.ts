/** Webhook endpoints: the generic handlers, their secrets and targets, the test, and their deliveries. */
import { Api, type WebhookEndpointTestResult } from "@tc/api"
import { Event, Id, Resource, Sample, Value, WebhookEndpoint } from "@tc/domain"
import { Deliveries, WebhookEndpoints } from "@tc/store"
import { Secret } from "@tc/webhooks"
import { Clock, Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Attempts } from "../Attempts.ts"
import { DeliverySettings } from "../DeliverySettings.ts"
import { SecretBox } from "../SecretBox.ts"
import * as Checks from "./Checks.ts"
import * as Crud from "./Crud.ts"
import { newId } from "./Incoming.ts"
import * as Responses from "./Responses.ts"
import * as TestSlots from "./TestSlots.ts"

const { resource } = WebhookEndpoint
type Row = WebhookEndpoint.WebhookEndpoint

const TEST_EVENT = "design.finalized"

export const layer = HttpApiBuilder.group(
  Api,
  "webhook_endpoints",
  Effect.fnUntraced(function* (group) {
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* Deliveries
    const attempts = yield* Attempts
    const box = yield* SecretBox
    const slots = yield* TestSlots.make
    const { allow_private } = yield* DeliverySettings
    const { list, delete: remove } = Crud.handlers(resource, endpoints)
    return group.handleAll({
      list,
      delete: remove,
      create: ({ payload }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            yield* Checks.target(payload.url, allow_private)
            const id = payload.id ?? Id.WebhookEndpointId.id.make(newId(yield* Clock.currentTimeMillis))
            const clear = Secret.make()
            const secret = yield* box.encrypt(clear, { account_id, endpoint_id: id })
            const row = yield* endpoints.create(account_id, { ...payload, id, secret })
            const record = { ...Resource.show(resource, row), secret: clear }
            return Responses.secret(Responses.created(Crud.locationOf(resource, row), record))
          }),
        ),
      get: ({ params }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            const row = yield* endpoints.get(account_id, params.id)
            const secret = yield* box.decrypt(row.secret, { account_id, endpoint_id: row.id })
            return Responses.secret(Responses.json({ ...Resource.show(resource, row), secret }))
          }),
        ),
      modify: ({ params, payload }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            if (payload.url !== undefined) yield* Checks.target(payload.url, allow_private)
            const decide = (row: Row, now: string) => Result.succeed(WebhookEndpoint.patch(payload)(row, now))
            return Crud.shown(resource)(yield* endpoints.modify(account_id, params.id, decide))
          }),
        ),
      test: ({ params, payload }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            const { id: endpoint_id, secret, url } = yield* endpoints.get(account_id, params.id)
            const event = payload?.event ?? TEST_EVENT
            const now = yield* Clock.currentTimeMillis
            const id = Id.DeliveryId.id.make(newId(now))
            const tail = Event.tail({ event, data: Sample.of(event) }, account_id, Value.timestamp(now))
            const target = { account_id, id, endpoint_id, event, tail, url, secret }
            const { retry_after: _, ...outcome } = yield* slots.run(target, Effect.orDie(attempts.make(target)))
            return Responses.json({ event, ...outcome } satisfies WebhookEndpointTestResult)
          }),
        ),
      deliveries: ({ params, query }) =>
        Crud.asAccount((account_id) =>
          Effect.andThen(
            endpoints.get(account_id, params.id),
            Effect.map(deliveries.list(account_id, { ...query, endpoint_id: params.id }), (page) =>
              Responses.json(page),
            ),
          ),
        ),
    })
  }),
)
