/** What happened in an account, as it was told. */
import type { Event, Id, Page } from "@tc/domain"
import { Context, type Effect } from "effect"

export interface ListRequest extends Page.Request {
  readonly event?: string
}

export class Events extends Context.Service<
  Events,
  {
    /** Newest first. */
    readonly list: (account_id: Id.AccountId, request: ListRequest) => Effect.Effect<Page.Page<Event.Event>>
  }
>()("@tc/store/Events") {}
