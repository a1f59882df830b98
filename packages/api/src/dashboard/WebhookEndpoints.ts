/** Webhook endpoints as people work with them: secrets are shown when somebody asks for them, and that is noted. */
import { Errors, Event, Page, Recovery, Value, WebhookEndpoint } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { ofBody } from "../Errors.ts"
import { operations, WebhookEndpointTestResult, WebhookEndpointWithSecret } from "../WebhookEndpoints.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"
import { activity } from "./Overview.ts"

const { resource } = WebhookEndpoint
const params = { id: resource.id_input }

/** An endpoint, and how it has done of late. */
export const WebhookEndpointWithActivity = Schema.Struct({ ...resource.record.fields, ...activity }).annotate({
  identifier: "WebhookEndpointWithActivity",
})

/** An event to send as a test, and what it carries where that is not the sample of it. */
export const EndpointTest = Schema.Struct({
  event: Event.EventName,
  data: Schema.optionalKey(Value.JsonObject),
}).annotate({ identifier: "EndpointTest" })

export class WebhookEndpoints extends HttpApiGroup.make("webhook_endpoints")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: Page.Query,
      success: Page.Page(WebhookEndpointWithActivity),
      error: Errors.Invalid,
    }).annotateMerge(
      Crud.about("List webhook endpoints", `${Crud.texts.list(resource)} Each with how it has done of late.`),
    ),
    operations.create,
    Crud.get(resource),
    Crud.modify(resource),
    Crud.remove(resource),
    HttpApiEndpoint.post("reveal_secret", "/:id/reveal_secret", {
      params,
      success: WebhookEndpointWithSecret,
      error: Errors.NotFound,
    }).annotateMerge(
      Crud.about("Reveal the signing secret", "Answers with the record and its `secret`. It is noted who asked."),
    ),
    operations.rotate_secret,
    HttpApiEndpoint.post("test", "/:id/test", {
      params,
      payload: EndpointTest,
      success: WebhookEndpointTestResult,
      error: [Errors.NotFound, ...ofBody],
    }).annotateMerge(
      Crud.about("Send a test event", "Sends it in one attempt that counts for nothing, and answers with its outcome."),
    ),
    HttpApiEndpoint.post("recover", "/:id/recover", {
      params,
      payload: Recovery.RecoveryCreate,
      success: Recovery.Recovery.pipe(HttpApiSchema.status(202)),
      error: [Errors.NotFound, Errors.Conflict, ...ofBody],
    }).annotateMerge(
      Crud.about("Recover what an endpoint missed", "Answers with the recovery, which is done by and by."),
    ),
    HttpApiEndpoint.get("recoveries", "/:id/recoveries", {
      params,
      query: Page.Pagination,
      success: Page.Page(Recovery.Recovery),
      error: [Errors.NotFound, Errors.Invalid],
    }).annotateMerge(Crud.about("List the recoveries of an endpoint", "Newest first.")),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/webhook_endpoints`)
  .annotate(OpenApi.Description, "Who is told of events.") {}
