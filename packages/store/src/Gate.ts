/** What endpoints in order or at a rate have in common in every storage. */
import type { WebhookEndpoint } from "@tc/domain"

/** Milliseconds at least between two claims for an endpoint at a rate: what may go meanwhile goes together. */
export const PAUSE_MS = 20

type Gated = Pick<WebhookEndpoint.WebhookEndpoint, "ordered" | "max_per_second">

/** Whether the deliveries of an endpoint wait their turn. They are never born under a lease. */
export const isGated = ({ ordered, max_per_second }: Gated): boolean => ordered || max_per_second !== null

/** Whether deliveries that are there already have another turn after a change. */
export const isRegated = (before: Gated, after: Gated): boolean =>
  before.ordered !== after.ordered || isGated(before) !== isGated(after)

/** Deliveries that may go at once at a rate: a tenth of what goes in a second. */
export const burstOf = (max_per_second: number): number => Math.max(1, Math.ceil(max_per_second / 10))
