/** Every delivery of the account. */
import { Delivery, Errors, Id, Page } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { DeliveryFilter } from "../WebhookEndpoints.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"

const params = { id: Id.DeliveryId.input }

/**
 * An attempt with the headers that it was sent with, whatever its endpoint was changed to since. They are made again from what is
 * kept, with the server's present brand.
 */
export const SentAttempt = Schema.Struct({
  ...Delivery.Attempt.fields,
  headers: Schema.Record(Schema.String, Schema.String),
  /**
   * Why there are no signatures among them: only the secret of that time could make them again, of the body. Null where they
   * are. `settings_unknown`: neither it nor the URL are known any more, after very many changes of the endpoint.
   */
  unsigned: Schema.NullOr(
    Schema.Literals(["settings_unknown", "secret_unreadable", "endpoint_deleted", "event_pruned"]),
  ),
  /** Whether the endpoint's present secret is among those that signed it: with another it verifies no more. */
  signed_by_present: Schema.Boolean,
}).annotate({ identifier: "SentAttempt" })

/** A delivery with its attempts, and the exact body that each of them sends. */
export const DeliveryWithBody = Schema.Struct({
  ...Delivery.Delivery.fields,
  attempts: Schema.Array(SentAttempt),
  /** Null once its event is pruned. */
  body: Schema.NullOr(Schema.String),
}).annotate({ identifier: "DeliveryWithBody" })

export class Deliveries extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...Page.Pagination, ...DeliveryFilter, endpoint_id: Schema.optionalKey(Id.WebhookEndpointId.input) },
      success: Page.Page(Delivery.Delivery),
      error: Errors.Invalid,
    }).annotateMerge(Crud.about("List deliveries", "Newest first, by endpoint, status, event, and when it happened.")),
    HttpApiEndpoint.get("get", "/:id", {
      params,
      success: DeliveryWithBody,
      error: Errors.NotFound,
    }).annotateMerge(
      Crud.about(
        "Get a delivery",
        "Answers with its attempts, oldest first, the headers of each, and the body they send.",
      ),
    ),
    HttpApiEndpoint.post("retry", "/:id/retry", {
      params,
      success: Delivery.Delivery,
      error: [Errors.NotFound, Errors.Conflict],
    }).annotateMerge(Crud.about("Send a delivery again", "Makes it due now, whatever became of it.")),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/deliveries`)
  .annotate(OpenApi.Description, "Events on their way to an endpoint, and every attempt made.") {}
