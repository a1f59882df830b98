/** Deliveries, and the events they carry: read, and sent again. */
import { Api } from "@tc/api"
import { Deliveries, Events } from "@tc/store"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "./Crud.ts"
import * as Responses from "./Responses.ts"

const shown = (value: object) => Responses.json(value)

export const layer = Layer.mergeAll(
  HttpApiBuilder.group(Api, "deliveries", (group) =>
    Effect.map(Deliveries, (deliveries) =>
      group.handleAll({
        get: ({ params }) => Crud.asAccount((account_id) => Effect.map(deliveries.get(account_id, params.id), shown)),
        retry: ({ params }) =>
          Crud.asAccount((account_id) => Effect.map(deliveries.retry(account_id, params.id), shown)),
      }),
    ),
  ),
  HttpApiBuilder.group(Api, "events", (group) =>
    Effect.map(Events, (events) =>
      group.handleAll({
        list: ({ query }) => Crud.asAccount((account_id) => Effect.map(events.list(account_id, query), shown)),
      }),
    ),
  ),
)
