/** Records of the account: asked for in pages of summaries, and each as a whole. */
import type { Asset, Design, Event, Page, PrintArea, Product, Store, Template } from "@tc/domain"
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { get } from "../Api.ts"
import type { CatalogueSearch } from "./Search.ts"

/** The kinds of records, by their paths: a record as a list shows it, and as a whole. */
export interface Kinds {
  readonly stores: readonly [typeof Store.resource.summary.Type, Store.Store]
  readonly products: readonly [typeof Product.resource.summary.Type, Product.Product]
  readonly print_areas: readonly [typeof PrintArea.resource.summary.Type, PrintArea.PrintArea]
  readonly templates: readonly [typeof Template.resource.summary.Type, Template.Template]
  readonly designs: readonly [typeof Design.resource.summary.Type, Design.Design]
  readonly assets: readonly [typeof Asset.resource.summary.Type, Asset.Asset]
}
export type Kind = keyof Kinds
/** Those that others refer to, and that are called by their names. */
export type Named = Extract<Kind, "stores" | "products">
export type Summary<K extends Kind> = Kinds[K][0]
export type Whole<K extends Kind> = Kinds[K][1]

const PER_PAGE = 25
/** As many as one page of the API can have. */
const MOST = 100

/** A page of summaries, newest first; print areas by their position. */
export const find = <K extends Kind>(kind: K, query: CatalogueSearch & { per_page: number }, signal?: AbortSignal) =>
  get<Page.Page<Summary<K>>>(`/${kind}`, { ...query }, signal)

export const records = <K extends Kind>(kind: K, search: CatalogueSearch, per_page = PER_PAGE) => {
  const query = { page: 1, ...search, per_page }
  return queryOptions({
    queryKey: ["records", kind, query],
    queryFn: ({ signal }) => find(kind, query, signal),
    placeholderData: keepPreviousData,
  })
}

/** To choose from, and to call by their names. */
export const known = <K extends Kind>(kind: K, search: CatalogueSearch = {}) => records(kind, search, MOST)

/** A whole record. */
export const record = <K extends Kind>(kind: K, id: string) =>
  queryOptions({
    queryKey: ["record", kind, id],
    queryFn: ({ signal }) => get<Whole<K>>(`/${kind}/${encodeURIComponent(id)}`, {}, signal),
  })

/** Events of a record on a page. */
const EVENTS = 10

/** What happened to a record, newest first. */
export const history = (kind: Kind, id: string, page: number) =>
  queryOptions({
    queryKey: ["history", kind, id, page],
    queryFn: ({ signal }) =>
      get<Page.Page<Event.EventSummary>>(
        `/${kind}/${encodeURIComponent(id)}/events`,
        { page, per_page: EVENTS },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
