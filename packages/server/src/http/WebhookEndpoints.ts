/** Webhook endpoints: the generic handlers, their secrets, the test, and their deliveries. */
import { Api, type WebhookEndpointTestResult } from "@tc/api"
import { WebhookEndpoint } from "@tc/domain"
import { Deliveries, WebhookEndpoints } from "@tc/store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "./Crud.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Responses from "./Responses.ts"

const { resource } = WebhookEndpoint

const TEST_EVENT = "design.finalized"

export const layer = HttpApiBuilder.group(
  Api,
  "webhook_endpoints",
  Effect.fnUntraced(function* (group) {
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* Deliveries
    const { create, list, modify, reveal, rotate, test } = yield* Endpoints.make
    const { delete: remove } = Crud.handlers(resource, endpoints)
    return group.handleAll({
      delete: remove,
      list: ({ query }) =>
        Crud.asAccount((account_id) => Effect.map(list(account_id, query), (page) => Responses.json(page))),
      create: ({ payload }) =>
        Crud.asAccount((account_id) =>
          Effect.map(create(account_id, payload), (made) =>
            Responses.secret(Responses.created(Crud.locationOf(resource, made), made)),
          ),
        ),
      get: ({ params }) =>
        Crud.asAccount((account_id) =>
          Effect.map(reveal(account_id, params.id), (shown) => Responses.secret(Responses.json(shown))),
        ),
      rotate_secret: ({ params, payload }) =>
        Crud.asAccount((account_id) =>
          Effect.map(rotate(account_id, params.id, payload?.overlap_seconds), (shown) =>
            Responses.secret(Responses.json(shown)),
          ),
        ),
      modify: ({ params, payload }) =>
        Crud.asAccount((account_id) => Effect.map(modify(account_id, params.id, payload), Crud.shown(resource))),
      test: ({ params, payload }) =>
        Crud.asAccount((account_id) =>
          Effect.map(test(account_id, params.id, payload?.event ?? TEST_EVENT), (result) =>
            Responses.json(result satisfies WebhookEndpointTestResult),
          ),
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
