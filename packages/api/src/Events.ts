/** `/api/v1/events`: what happened in the account. */
import { Errors, Event, Page } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "./Crud.ts"

export class Events extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...Page.Pagination, event: Schema.optionalKey(Event.EventName) },
      success: Page.Page(Event.Event),
      error: Errors.Invalid,
    }).annotateMerge(Crud.about("List events", "What happened in the account, newest first.")),
  )
  .prefix(`${Crud.PREFIX}/events`)
  .annotate(OpenApi.Description, "What happened in the account.") {}
