/** What the plain changes of a record tell. */
import { Resource } from "@tc/domain"

/** The event of a change, if the catalogue has one: webhook endpoints come and go unannounced. */
export const told = Resource.raise

/** The decision of a plain create. */
export const created =
  <R extends Resource.Any>(resource: R) =>
  (row: Resource.RowOf<R>): Resource.Change<Resource.RowOf<R>> => ({ row, events: told(resource, "created", row) })
