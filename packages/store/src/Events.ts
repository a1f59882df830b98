/** What happened in an account, as it was told. */
import type { Errors, Event, Id, Page } from "@tc/domain"
import { Context, type Effect } from "effect"

export interface ListRequest extends Page.Request {
  readonly event?: string
  /** Bytes of the events on the page at most; 64 MiB when left out. */
  readonly max_bytes?: number
}

/** Which events: those about a record. Its id alone does not say which, for another kind may have the same. */
export interface HistoryRequest extends Page.Request {
  readonly record_id: string
  /** The words before the dot in the names of the events. */
  readonly told_as: ReadonlyArray<string>
  /** Events before this are not looked for: when the record was made. */
  readonly since: string
}

export class Events extends Context.Service<
  Events,
  {
    /**
     * Raises an event that no record of ours brings about, such as `bulk_order.completed`, and answers its id. The event and
     * its deliveries are committed together; inside a transaction of the program, with what else it writes. Fails with
     * `Invalid` when the event is larger than a record may be.
     */
    readonly emit: (account_id: Id.AccountId, event: Event.Emission) => Effect.Effect<Id.EventId, Errors.Invalid>
    /** Newest first. Fails with `Invalid` when the events on the page are too large together. */
    readonly list: (
      account_id: Id.AccountId,
      request: ListRequest,
    ) => Effect.Effect<Page.Page<Event.Event>, Errors.Invalid>
    /** What happened to a record, newest first, as far as its events are kept. `q` is not looked at. */
    readonly history: (
      account_id: Id.AccountId,
      request: HistoryRequest,
    ) => Effect.Effect<Page.Page<Event.EventSummary>>
    /** The kept text of an event, to which `Event.body` adds the id of a delivery; null where there is none, or it was pruned. */
    readonly tail: (account_id: Id.AccountId, id: Id.EventId) => Effect.Effect<string | null>
  }
>()("@tc/store/Events") {}
