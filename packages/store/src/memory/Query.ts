/** Lists over rows in memory: what matches, in which order, and one page of it. */
import { Page, type Resource } from "@tc/domain"
import type { ListRequest } from "../Repository.ts"

type Columns = { readonly [column: string]: unknown }

/** Whether a row has all these values. One that is undefined does not matter. */
export const matches =
  (where: { readonly [column: string]: string | undefined }) =>
  (row: object): boolean =>
    Object.entries(where).every(([column, value]) => value === undefined || (row as Columns)[column] === value)

/** Ids grow with time, so that they put in order what one instant brought. */
export const newestFirst = (
  left: { readonly created_at: string; readonly id: string },
  right: { readonly created_at: string; readonly id: string },
): number => compare(right.created_at, left.created_at) || compare(right.id, left.id)

/** By id alone, as what is never made with an id of the caller's. */
export const latestFirst = (left: { readonly id: string }, right: { readonly id: string }): number =>
  compare(right.id, left.id)

/** One page of rows that are all there are, in order. */
export const page = <Row>(request: Page.Request, rows: ReadonlyArray<Row>): Page.Page<Row> => {
  const start = (request.page - 1) * request.per_page
  return Page.make(request, rows.slice(start, start + request.per_page), rows.length)
}

/** The records that a request asks for, in the resource's order. */
export const list = <R extends Resource.Any>(
  resource: R,
  rows: Iterable<Resource.RowOf<R>>,
  request: ListRequest,
): Page.Page<Resource.RowOf<R>> => {
  const { q = "", where = {} } = request
  const sought = q.toLowerCase()
  const has = (row: object) =>
    String((row as Columns)[resource.search])
      .toLowerCase()
      .includes(sought)
  const found = [...rows].filter((row) => matches(where)(row) && has(row))
  return page(request, found.toSorted(resource.order === "position" ? byPosition : newestFirst))
}

const byPosition = (left: Resource.AnyRow, right: Resource.AnyRow): number =>
  positionOf(left) - positionOf(right) || newestFirst(right, left)

const positionOf = (row: object): number => Number((row as Columns)["position"])

/** The order of texts by their characters. */
export const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right))
