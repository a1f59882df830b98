/** Every delivery of the account, and the events that there are. */
import { Delivery, Errors, Event, Id, Page, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { DeliveryFilter } from "../WebhookEndpoints.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"

const params = { id: Id.DeliveryId.input }
const { q: _, ...page } = Page.Query

/** A delivery with its attempts, and the exact body that each of them sends. */
export const DeliveryWithBody = Schema.Struct({
  ...Delivery.DeliveryDetail.fields,
  /** Null once its event is pruned. */
  body: Schema.NullOr(Schema.String),
}).annotate({ identifier: "DeliveryWithBody" })

export class Deliveries extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page, ...DeliveryFilter, endpoint_id: Schema.optionalKey(Id.WebhookEndpointId.input) },
      success: Page.Page(Delivery.Delivery),
      error: Errors.Invalid,
    }).annotateMerge(Crud.about("List deliveries", "Newest first, by endpoint, status and event.")),
    HttpApiEndpoint.get("get", "/:id", {
      params,
      success: DeliveryWithBody,
      error: Errors.NotFound,
    }).annotateMerge(Crud.about("Get a delivery", "Answers with its attempts, oldest first, and the body they send.")),
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

/** An event of the catalogue: its name, what it means, and what it may carry. */
export const EventType = Schema.Struct({
  name: Event.EventName,
  description: Schema.String,
  sample: Value.JsonObject,
}).annotate({ identifier: "EventType" })

export const EventTypeList = Schema.Struct({ data: Schema.Array(EventType) }).annotate({ identifier: "EventTypeList" })

export class EventTypes extends HttpApiGroup.make("event_types")
  .add(
    HttpApiEndpoint.get("list", "/", { success: EventTypeList }).annotateMerge(
      Crud.about("List the events that there are", "All of the catalogue, in its order."),
    ),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/event_types`)
  .annotate(OpenApi.Description, "The catalogue of events.") {}
