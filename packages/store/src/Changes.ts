/** What the plain changes of a record tell. */
import { Event, Resource } from "@tc/domain"

const catalogue = new Set<string>(Event.all)

/** The event of a change, if the catalogue has one: webhook endpoints come and go unannounced. */
export const told = <R extends Resource.Any>(
  resource: R,
  verb: Resource.Verb,
  row: Resource.RowOf<R>,
): ReadonlyArray<Resource.Raised> => [Resource.raise(resource, verb, row)].filter(({ event }) => catalogue.has(event))

/** The decision of a plain create. */
export const created =
  <R extends Resource.Any>(resource: R) =>
  (row: Resource.RowOf<R>): Resource.Change<Resource.RowOf<R>> => ({ row, events: told(resource, "created", row) })
