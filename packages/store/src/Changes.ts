/** The decision of a plain create. */
import { Resource } from "@tc/domain"

/** The row as it is, and its event, if the catalogue has one. */
export const created =
  <R extends Resource.Any>(resource: R) =>
  (row: Resource.RowOf<R>): Resource.Change<Resource.RowOf<R>> => ({
    row,
    events: Resource.raise(resource, "created", row),
  })
