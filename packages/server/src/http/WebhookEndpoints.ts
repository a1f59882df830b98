/** Webhook endpoints: the generic handlers, their secrets and targets, the test, and their deliveries. */
import { Api, type WebhookEndpointTestResult } from "@tc/api"
import { Event, Id, Limits, Resource, Sample, SigningSecrets, Value, WebhookEndpoint } from "@tc/domain"
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

/** An endpoint as it is now. */
const current = (row: Row) =>
  Effect.map(Clock.currentTimeMillis, (millis) => WebhookEndpoint.asOf(row, Value.timestamp(millis)))

/** An endpoint with its secret in the clear. */
const withSecret = (row: Row, secret: string) => ({ ...Resource.show(resource, row), secret })

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
    const { delete: remove } = Crud.handlers(resource, endpoints)
    return group.handleAll({
      delete: remove,
      list: ({ query }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            const { data, meta } = yield* endpoints.list(account_id, query)
            return Crud.paged(resource)({ data: yield* Effect.forEach(data, current), meta })
          }),
        ),
      create: ({ payload }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            yield* Checks.target(payload.url, allow_private)
            const id = payload.id ?? Id.WebhookEndpointId.id.make(newId(yield* Clock.currentTimeMillis))
            const clear = Secret.make()
            const secret = yield* box.encrypt(clear, { account_id, endpoint_id: id })
            const row = yield* endpoints.create(account_id, { ...payload, id, secret })
            return Responses.secret(Responses.created(Crud.locationOf(resource, row), withSecret(row, clear)))
          }),
        ),
      get: ({ params }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            const row = yield* Effect.flatMap(endpoints.get(account_id, params.id), current)
            const present = SigningSecrets.present(row.secret)
            const clear = yield* box.decrypt(present, { account_id, endpoint_id: row.id })
            return Responses.secret(Responses.json(withSecret(row, clear)))
          }),
        ),
      rotate_secret: ({ params, payload }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            const clear = Secret.make()
            const secret = yield* box.encrypt(clear, { account_id, endpoint_id: params.id })
            const { overlap_seconds = Limits.OVERLAP_DEFAULT_SECONDS } = payload ?? {}
            const row = yield* endpoints.modify(account_id, params.id, WebhookEndpoint.rotate(secret, overlap_seconds))
            return Responses.secret(Responses.json(withSecret(row, clear)))
          }),
        ),
      modify: ({ params, payload }) =>
        Crud.asAccount(
          Effect.fnUntraced(function* (account_id) {
            if (payload.url !== undefined) yield* Checks.target(payload.url, allow_private)
            const decide = (row: Row, now: string) => Result.succeed(WebhookEndpoint.patch(payload)(row, now))
            const row = yield* endpoints.modify(account_id, params.id, decide)
            return Crud.shown(resource)(yield* current(row))
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
