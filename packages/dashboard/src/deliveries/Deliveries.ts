/** Deliveries: asked for again and again while they are looked at, and sent again. */
import type { Dashboard } from "@tc/api"
import type { Delivery as Domain, Page } from "@tc/domain"
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { get, post } from "../Api.ts"
import { type DeliverySearch, statuses } from "./Search.ts"
import { bounds } from "./Span.ts"

export type Delivery = Domain.Delivery
export type WithBody = typeof Dashboard.DeliveryWithBody.Type
export type Attempt = WithBody["attempts"][number]

export const PER_PAGE = 25
/** Milliseconds after which what changes by itself is asked for again. */
const FRESH_MS = 3_000

/** A page of deliveries, with those that are new as they come. */
export const deliveries = (search: DeliverySearch, per_page = PER_PAGE) => {
  const { page = 1, within: _within, since: _since, until: _until, ...filter } = search
  return queryOptions({
    queryKey: ["deliveries", per_page, search],
    // The last hour is another one each time.
    queryFn: ({ signal }) => {
      const query = { page, per_page, ...filter, ...bounds(search, Date.now()) }
      return get<Page.Page<Delivery>>("/deliveries", query, signal)
    },
    placeholderData: keepPreviousData,
    refetchInterval: FRESH_MS,
  })
}

/** When the event of a delivery happened: it stands in the ids of both, by which deliveries are listed. */
export const happenedAt = ({ id }: Pick<Delivery, "id">): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString()

/** How many of one endpoint its page shows. */
const LATEST = 10

export const latest = (endpoint_id: string) => deliveries({ endpoint_id }, LATEST)

/** One delivery, asked for again until it has ended. */
export const delivery = (id: string) =>
  queryOptions({
    queryKey: ["delivery", id],
    queryFn: ({ signal }) => get<WithBody>(`/deliveries/${id}`, {}, signal),
    refetchInterval: ({ state: { data } }) => (data !== undefined && statuses[data.status].moving ? FRESH_MS : false),
  })

/** What sending again makes stale. */
export const stale = [["deliveries"], ["delivery"], ["audit"]] as const

export const retry = ({ id }: { id: string }) => post<Delivery>(`/deliveries/${id}/retry`)
