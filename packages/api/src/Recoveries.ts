/** `/api/v1/webhook_endpoints/:id/recover`: delivering to an endpoint what it has missed, and how far that is. */
import { Errors, Id, Page, Recovery } from "@tc/domain"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "./Crud.ts"
import { ofBody } from "./Errors.ts"

const params = { id: Id.WebhookEndpointId.input }

export class Recoveries extends HttpApiGroup.make("recoveries")
  .add(
    HttpApiEndpoint.post("create", "/recover", {
      params,
      payload: Recovery.RecoveryCreate,
      success: Recovery.Recovery.pipe(HttpApiSchema.status(202)),
      error: [Errors.NotFound, Errors.Conflict, ...ofBody],
    }).annotateMerge(
      Crud.about(
        "Recover what an endpoint missed",
        "Creates deliveries for the events from `since` to `until` (now, unless given) that the endpoint subscribes to, or those named in `events`, and that it has no delivery of, or only some that failed or were canceled. Answers with the recovery and its `Location`: the work is done a few events at a time, with few deliveries waiting at once, and is canceled when the endpoint is disabled or deleted. Refused while the endpoint is not active, and while another recovery of it is under way. Events are kept for 30 days, or as the operator says.",
      ),
    ),
    HttpApiEndpoint.get("list", "/recoveries", {
      params,
      query: Page.Pagination,
      success: Page.Page(Recovery.Recovery),
      error: [Errors.NotFound, Errors.Invalid],
    }).annotateMerge(Crud.about("List the recoveries of an endpoint", "Newest first.")),
    HttpApiEndpoint.get("get", "/recoveries/:recovery_id", {
      params: { ...params, recovery_id: Id.RecoveryId.input },
      success: Recovery.Recovery,
      error: Errors.NotFound,
    }).annotateMerge(
      Crud.about("Get a recovery", "Answers with its status, the events looked at and the deliveries created so far."),
    ),
  )
  .prefix(`${Crud.PREFIX}/webhook_endpoints/:id`)
  .annotate(OpenApi.Description, "Delivering to an endpoint what it has missed.") {}
