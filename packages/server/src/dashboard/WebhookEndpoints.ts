/** Webhook endpoints as people work with them; what changes one, or shows its secret, is noted. */
import { Dashboard, type WebhookEndpointTestResult } from "@tc/api"
import { Recovery, Resource, Value, WebhookEndpoint } from "@tc/domain"
import { Recoveries, WebhookEndpoints } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Endpoints from "../http/Endpoints.ts"
import * as Responses from "../http/Responses.ts"
import * as Audit from "./Audit.ts"

const { resource } = WebhookEndpoint
type Row = WebhookEndpoint.WebhookEndpoint

const subject = ({ id, url }: Pick<Row, "id" | "url">): Audit.Subject => ({ id, name: url })
const shown = (row: Row) => Responses.json(Resource.show(resource, row))

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "webhook_endpoints",
  Effect.fnUntraced(function* (group) {
    const endpoints = yield* WebhookEndpoints
    const recoveries = yield* Recoveries
    const { create, current, get, modify, reveal, rotate, test } = yield* Endpoints.make
    return group.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const { data, meta } = yield* endpoints.list(account_id, query)
        const rows = yield* Effect.forEach(data, current)
        return Responses.json({ data: rows.map((row) => Resource.show(resource, row)), meta })
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const made = yield* create(account_id, payload)
        yield* Audit.note("webhook_endpoint.created", subject(made))
        return Responses.json(made, 201)
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        return shown(yield* get(account_id, id))
      }),
      modify: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const row = yield* modify(account_id, id, payload)
        yield* Audit.note("webhook_endpoint.updated", subject(row))
        return shown(row)
      }),
      delete: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const row = yield* get(account_id, id)
        yield* endpoints.delete(account_id, id)
        yield* Audit.note("webhook_endpoint.deleted", subject(row))
        return Responses.noContent
      }),
      reveal_secret: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const found = yield* reveal(account_id, id)
        // Noted before it is shown: nobody sees one of which nothing is known.
        yield* Audit.note("secret.revealed", subject(found))
        return Responses.json(found)
      }),
      rotate_secret: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const rotated = yield* rotate(account_id, id, payload?.overlap_seconds)
        yield* Audit.note("secret.rotated", subject(rotated))
        return Responses.json(rotated)
      }),
      test: Effect.fnUntraced(function* ({ params: { id }, payload: { event, data } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const row = yield* get(account_id, id)
        const result = yield* test(account_id, id, event, data)
        yield* Audit.note("webhook_endpoint.tested", subject(row))
        return Responses.json(result satisfies WebhookEndpointTestResult)
      }),
      recover: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const row = yield* get(account_id, id)
        const window = yield* Effect.fromResult(
          Recovery.window(payload, Value.timestamp(yield* Clock.currentTimeMillis)),
        )
        const recovery = yield* recoveries.create(account_id, id, { ...window, events: payload.events ?? null })
        yield* Audit.note("webhook_endpoint.recovered", subject(row))
        return Responses.json(recovery, 202)
      }),
      recoveries: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const { account_id } = yield* Dashboard.CurrentSession
        yield* endpoints.get(account_id, id)
        return Responses.json(yield* recoveries.list(account_id, id, query))
      }),
    })
  }),
)
