/** Which deliveries are shown: it stands in the address, so that it can be shared and gone back to. */
import type { Delivery } from "@tc/domain"
import { isNameIn, isSaid, pageSearch } from "../parts/Address.ts"
import { type Span, spanSearch } from "./Span.ts"

export interface DeliverySearch extends Span {
  readonly page?: number
  readonly status?: Delivery.Status
  readonly event?: string
  readonly endpoint_id?: string
}

/** How a delivery stands: what that is called and in which colour, and whether it changes by itself. */
export const statuses = {
  pending: { label: "Pending", color: "accent", moving: true },
  delivering: { label: "Delivering", color: "accent", moving: true },
  succeeded: { label: "Succeeded", color: "teal", moving: false },
  failed: { label: "Failed", color: "red", moving: false },
  canceled: { label: "Canceled", color: "gray", moving: false },
} as const satisfies Record<Delivery.Status, { label: string; color: string; moving: boolean }>

/** The part of an address that makes sense; the rest is left out. */
export const deliverySearch = ({
  page,
  status,
  event,
  endpoint_id,
  ...span
}: Record<string, unknown>): DeliverySearch => ({
  ...pageSearch({ page }),
  ...(isNameIn(statuses, status) ? { status } : {}),
  ...(isSaid(event) ? { event } : {}),
  ...(isSaid(endpoint_id) ? { endpoint_id } : {}),
  ...spanSearch(span),
})

/** Finds the deliveries of one event, by the moment in which it happened. */
export const ofEvent = (event: string, at: string): DeliverySearch => ({
  event,
  within: "custom",
  since: at,
  until: at,
})

/** Whether a search leaves anything out. */
export const isNarrow = ({ page: _page, ...filter }: DeliverySearch): boolean => Object.keys(filter).length > 0
