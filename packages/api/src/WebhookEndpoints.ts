/** `/api/v1/webhook_endpoints`: the five operations, the rotation of the secret, a test, and the deliveries of an endpoint. */
import { Delivery, Errors, Event, Limits, Page, Value, WebhookEndpoint } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "./Crud.ts"
import { ofBody } from "./Errors.ts"

const { resource } = WebhookEndpoint
const { number: _, ...outcome } = Delivery.Attempt.fields

/** An endpoint with its signing secret: the answer to a create, a rotation and a single get, and nowhere else. */
export const WebhookEndpointWithSecret = Schema.Struct({
  ...resource.record.fields,
  secret: Schema.String.annotate({ description: "Signs every delivery to this endpoint: `whsec_` and base64." }),
}).annotate({ identifier: "WebhookEndpointWithSecret" })

/** How a secret is replaced. */
export const WebhookEndpointRotateSecret = Schema.Struct({
  overlap_seconds: Schema.optionalKey(
    WebhookEndpoint.OverlapSeconds.annotate({
      description: `Seconds for which the present secret signs beside the new one, ${Limits.OVERLAP_DEFAULT_SECONDS} when left out. 0 ends every older secret at once.`,
    }),
  ),
}).annotate({ identifier: "WebhookEndpointRotateSecret" })

/** Which event to send as a test. */
export const WebhookEndpointTest = Schema.Struct({ event: Schema.optionalKey(Event.EventName) }).annotate({
  identifier: "WebhookEndpointTest",
})

/** What became of the one attempt of a test. */
export const WebhookEndpointTestResult = Schema.Struct({ event: Event.EventName, ...outcome }).annotate({
  identifier: "WebhookEndpointTestResult",
})
export type WebhookEndpointTestResult = typeof WebhookEndpointTestResult.Type

/** What narrows a list of deliveries. */
export const DeliveryFilter = {
  status: Schema.optionalKey(Delivery.Status),
  event: Schema.optionalKey(Event.EventName),
  since: Schema.optionalKey(
    Value.Instant.annotate({ description: "The first moment at which their events happened." }),
  ),
  until: Schema.optionalKey(Value.Instant.annotate({ description: "The last moment at which their events happened." })),
}

/** Those operations that the dashboard has as they are. */
export const operations = {
  create: HttpApiEndpoint.post("create", "/", {
    payload: resource.create,
    success: WebhookEndpointWithSecret.pipe(HttpApiSchema.status(201)),
    error: [Errors.Conflict, ...ofBody],
  }).annotateMerge(
    Crud.about("Create a webhook endpoint", "Answers with the record, its signing `secret` and its `Location`."),
  ),
  rotate_secret: HttpApiEndpoint.post("rotate_secret", "/:id/rotate_secret", {
    params: { id: resource.id_input },
    payload: [WebhookEndpointRotateSecret, HttpApiSchema.NoContent],
    success: WebhookEndpointWithSecret,
    error: [Errors.NotFound, Errors.Conflict, ...ofBody],
  }).annotateMerge(
    Crud.about(
      "Rotate the signing secret",
      "Replaces the secret and answers with the record and the new `secret`. Until `secret_overlap_until` each delivery carries the signatures of the older secrets after that of the new one, side by side in each header, so that a receiver may know either. Asked again, it replaces the secret again, and the one before signs on: a repeated request does no harm. The body may be empty.",
    ),
  ),
} as const

export class WebhookEndpoints extends HttpApiGroup.make("webhook_endpoints")
  .add(
    Crud.list(resource),
    operations.create,
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: resource.id_input },
      success: WebhookEndpointWithSecret,
      error: Errors.NotFound,
    }).annotateMerge(Crud.about("Get a webhook endpoint", "Answers with the record and its signing `secret`.")),
    Crud.modify(resource),
    Crud.remove(resource),
    operations.rotate_secret,
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
      query: { ...Page.Pagination, ...DeliveryFilter },
      success: Page.Page(Delivery.Delivery),
      error: [Errors.NotFound, Errors.Invalid],
    }).annotateMerge(
      Crud.about("List the deliveries of an endpoint", "Newest first, by status, event, and when it happened."),
    ),
  )
  .prefix(`${Crud.PREFIX}/webhook_endpoints`)
  .annotate(OpenApi.Description, "Who is told of events.") {}
