/** Deliveries: asked for again and again while they are looked at, and sent again. */
import type { Dashboard } from "@tc/api"
import type { Delivery as Domain, Page } from "@tc/domain"
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { get, post } from "../Api.ts"
import { type DeliverySearch, statuses } from "./Search.ts"

export type Delivery = Domain.Delivery
export type Attempt = Domain.Attempt
export type WithBody = typeof Dashboard.DeliveryWithBody.Type

export const PER_PAGE = 25
/** Milliseconds after which what changes by itself is asked for again. */
const FRESH_MS = 3_000

/** A page of deliveries, with those that are new as they come. */
export const deliveries = ({ page = 1, ...filter }: DeliverySearch, per_page = PER_PAGE) =>
  queryOptions({
    queryKey: ["deliveries", page, per_page, filter],
    queryFn: ({ signal }) => get<Page.Page<Delivery>>("/deliveries", { page, per_page, ...filter }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: FRESH_MS,
  })

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
