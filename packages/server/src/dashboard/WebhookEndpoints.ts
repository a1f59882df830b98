/** Webhook endpoints as people work with them; what changes one, or shows its secret, is noted. */
import { Dashboard, type WebhookEndpointTestResult } from "@tc/api"
import { Resource, WebhookEndpoint } from "@tc/domain"
import { Recoveries, Tallies, WebhookEndpoints } from "@tc/store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Endpoints from "../http/Endpoints.ts"
import { ask } from "../http/Recoveries.ts"
import * as Responses from "../http/Responses.ts"
import * as Audit from "./Audit.ts"
import * as Overview from "./Overview.ts"

const { resource } = WebhookEndpoint
type Row = WebhookEndpoint.WebhookEndpoint

/** What a change is called, by the status that it asks for. */
const changes = {
  "": "webhook_endpoint.updated",
  active: "webhook_endpoint.enabled",
  disabled: "webhook_endpoint.disabled",
} as const

const subject = ({ id, url }: Pick<Row, "id" | "url">): Audit.Subject => ({ id, name: url })
/** Of an endpoint of which no attempt is known. */
const idle = { success_rate: null, last_attempt_at: null }
const shown = (row: Row) => Responses.json(Resource.show(resource, row))

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "webhook_endpoints",
  Effect.fnUntraced(function* (group) {
    const endpoints = yield* WebhookEndpoints
    const recoveries = yield* Recoveries
    const tallies = yield* Tallies
    const { create, get, list, modify, reveal, rotate, test } = yield* Endpoints.make
    return group.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const page = yield* list(account_id, query)
        const ids = page.data.map(({ id }) => id)
        const found = yield* tallies.ofEndpoints(account_id, ids, yield* Overview.judgedSince)
        const known = new Map(found.map((one) => [one.endpoint_id, Overview.shownActivity(one)]))
        return Responses.json({ ...page, data: page.data.map((row) => ({ ...row, ...(known.get(row.id) ?? idle) })) })
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const made = yield* Audit.changed("webhook_endpoint.created", create(account_id, payload), subject)
        return Responses.created(`${Dashboard.PREFIX}/${resource.path}/${made.id}`, made)
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        return shown(yield* get(account_id, id))
      }),
      modify: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const { account_id } = yield* Dashboard.CurrentSession
        return shown(yield* Audit.changed(changes[payload.status ?? ""], modify(account_id, id, payload), subject))
      }),
      delete: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const row = yield* get(account_id, id)
        yield* Audit.changed("webhook_endpoint.deleted", endpoints.delete(account_id, id), () => subject(row))
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
        const rotated = rotate(account_id, id, payload?.overlap_seconds)
        return Responses.json(yield* Audit.changed("secret.rotated", rotated, subject))
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
        const asked = ask(account_id, id, payload)
        return Responses.json(yield* Audit.changed("webhook_endpoint.recovered", asked, () => subject(row)), 202)
      }),
      recoveries: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const { account_id } = yield* Dashboard.CurrentSession
        yield* endpoints.get(account_id, id)
        return Responses.json(yield* recoveries.list(account_id, id, query))
      }),
    })
  }),
)
