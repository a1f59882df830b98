/** `/api/v1/webhook_endpoints`: the five operations, a test, and the deliveries of an endpoint. */
import { Delivery, Errors, Event, Page, WebhookEndpoint } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "./Crud.ts"
import { ofBody } from "./Errors.ts"

const { resource } = WebhookEndpoint
const { number: _, ...outcome } = Delivery.Attempt.fields

/** An endpoint with its signing secret: the answer to a create and to a single get, and nowhere else. */
export const WebhookEndpointWithSecret = Schema.Struct({
  ...resource.record.fields,
  secret: Schema.String.annotate({ description: "Signs every delivery to this endpoint: `whsec_` and base64." }),
}).annotate({ identifier: "WebhookEndpointWithSecret" })

/** Which event to send as a test. */
export const WebhookEndpointTest = Schema.Struct({ event: Schema.optionalKey(Event.EventName) }).annotate({
  identifier: "WebhookEndpointTest",
})

/** What became of the one attempt of a test. */
export const WebhookEndpointTestResult = Schema.Struct({ event: Event.EventName, ...outcome }).annotate({
  identifier: "WebhookEndpointTestResult",
})
export type WebhookEndpointTestResult = typeof WebhookEndpointTestResult.Type

const { q: _q, ...page } = Page.Query

/** What narrows a list of deliveries. */
export const DeliveryFilter = {
  status: Schema.optionalKey(Delivery.Status),
  event: Schema.optionalKey(Event.EventName),
}

export class WebhookEndpoints extends HttpApiGroup.make("webhook_endpoints")
  .add(
    Crud.list(resource),
    HttpApiEndpoint.post("create", "/", {
      payload: resource.create,
      success: WebhookEndpointWithSecret.pipe(HttpApiSchema.status(201)),
      error: [Errors.Conflict, ...ofBody],
    }).annotateMerge(
      Crud.about("Create a webhook endpoint", "Answers with the record, its signing `secret` and its `Location`."),
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: resource.id_input },
      success: WebhookEndpointWithSecret,
      error: Errors.NotFound,
    }).annotateMerge(Crud.about("Get a webhook endpoint", "Answers with the record and its signing `secret`.")),
    Crud.modify(resource),
    Crud.remove(resource),
    HttpApiEndpoint.post("test", "/:id/test", {
      params: { id: resource.id_input },
      payload: [WebhookEndpointTest, HttpApiSchema.NoContent],
      success: WebhookEndpointTestResult,
      error: [Errors.NotFound, ...ofBody],
    }).annotateMerge(
      Crud.about(
        "Send a test event",
        "Sends one sample of the event, `design.finalized` by default, in one attempt that counts for nothing, and answers with its outcome. The body may be empty.",
      ),
    ),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params: { id: resource.id_input },
      query: { ...page, ...DeliveryFilter },
      success: Page.Page(Delivery.Delivery),
      error: [Errors.NotFound, Errors.Invalid],
    }).annotateMerge(Crud.about("List the deliveries of an endpoint", "Newest first, by status and event.")),
  )
  .prefix(`${Crud.PREFIX}/webhook_endpoints`)
  .annotate(OpenApi.Description, "Who is told of events.") {}
