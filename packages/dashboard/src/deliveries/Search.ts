/** Which deliveries are shown: it stands in the address, so that it can be shared and gone back to. */
import type { Delivery } from "@tc/domain"

export interface DeliverySearch {
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

export const isStatus = (value: unknown): value is Delivery.Status => typeof value === "string" && value in statuses

/** The part of an address that makes sense; the rest is left out. */
export const deliverySearch = ({ page, status, event, endpoint_id }: Record<string, unknown>): DeliverySearch => ({
  ...(typeof page === "number" && Number.isInteger(page) && page > 1 ? { page } : {}),
  ...(isStatus(status) ? { status } : {}),
  ...(typeof event === "string" && event !== "" ? { event } : {}),
  ...(typeof endpoint_id === "string" && endpoint_id !== "" ? { endpoint_id } : {}),
})
