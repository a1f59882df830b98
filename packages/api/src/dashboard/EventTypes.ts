/** The events that there are. */
import { Event, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"

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
