/** The one repository contract; every resource and every storage honours it. */
import type { Errors, Id, Page, Resource } from "@tc/domain"
import { Context, type Effect, type Result } from "effect"
import type { Asset, Design, PrintArea, Product, Store, Template, WebhookEndpoint } from "@tc/domain"

/** Which records to list: a page, a search, and the columns that must equal a value. */
export interface ListRequest extends Page.Request {
  readonly where?: { readonly [column: string]: string }
  /** Bytes of free-form JSON on the page at most; 64 MiB when left out. */
  readonly max_bytes?: number
}

/**
 * The records of one resource, each account's apart from every other's.
 *
 * A write commits together with the events it raises and their deliveries, or none of it does; what is told was
 * committed. Storage that cannot be reached is a defect, `Unavailable`, never an error of these types.
 */
export interface Repository<R extends Resource.Any> {
  /**
   * A page with the exact total, in the resource's order; ties break on `id`. Fails with `Invalid` when the records on it
   * are too large together.
   */
  readonly list: (
    account_id: Id.AccountId,
    request: ListRequest,
  ) => Effect.Effect<Page.Page<Resource.RowOf<R>>, Errors.Invalid>
  /** The same page without what is large: free-form JSON and long texts are not read at all. */
  readonly summaries: (
    account_id: Id.AccountId,
    request: Omit<ListRequest, "max_bytes">,
  ) => Effect.Effect<Page.Page<Resource.SummaryOf<R>>>
  readonly get: (account_id: Id.AccountId, id: Resource.IdOf<R>) => Effect.Effect<Resource.RowOf<R>, Errors.NotFound>
  /**
   * Adds a record and tells of it: `<name>.created`, and of a design that is finalized at once that too. Fails with
   * `Conflict` when its id or a unique column is taken in the account, with `Invalid` when a reference leads nowhere or
   * the record is too large; `modify` likewise.
   */
  readonly create: (
    account_id: Id.AccountId,
    input: Resource.New<R>,
  ) => Effect.Effect<Resource.RowOf<R>, Errors.Conflict | Errors.Invalid>
  /**
   * Locks the row, applies the pure `decide`, writes the row and its events together. Every PATCH and every change of
   * state is this, so no update is ever lost. The same row object back means that nothing is written. Which record it is
   * (`account_id`, `id`, `created_at`) stays, whatever the decision says.
   */
  readonly modify: <E>(
    account_id: Id.AccountId,
    id: Resource.IdOf<R>,
    decide: (row: Resource.RowOf<R>, now: string) => Result.Result<Resource.Change<Resource.RowOf<R>>, E>,
  ) => Effect.Effect<Resource.RowOf<R>, Errors.NotFound | Errors.Conflict | Errors.Invalid | E>
  /** Removes a record and all below it; each raises its own `<name>.deleted`, children before parents. `guard` may refuse. */
  readonly delete: <E = never>(
    account_id: Id.AccountId,
    id: Resource.IdOf<R>,
    guard?: (row: Resource.RowOf<R>) => Result.Result<void, E>,
  ) => Effect.Effect<void, Errors.NotFound | E>
}

export class Stores extends Context.Service<Stores, Repository<typeof Store.resource>>()("@tc/store/Stores") {}
export class Products extends Context.Service<Products, Repository<typeof Product.resource>>()("@tc/store/Products") {}
export class PrintAreas extends Context.Service<PrintAreas, Repository<typeof PrintArea.resource>>()(
  "@tc/store/PrintAreas",
) {}
export class Templates extends Context.Service<Templates, Repository<typeof Template.resource>>()(
  "@tc/store/Templates",
) {}
export class Designs extends Context.Service<Designs, Repository<typeof Design.resource>>()("@tc/store/Designs") {}
export class Assets extends Context.Service<Assets, Repository<typeof Asset.resource>>()("@tc/store/Assets") {}
/** Deliveries of an endpoint that stops being active, or is deleted, are canceled in the same transaction. */
export class WebhookEndpoints extends Context.Service<WebhookEndpoints, Repository<typeof WebhookEndpoint.resource>>()(
  "@tc/store/WebhookEndpoints",
) {}
