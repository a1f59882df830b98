/** How deliveries reach a dispatcher in the same process without a trip through the queue. */
import { Context } from "effect"
import type { Endpoint, Job } from "./Deliveries.ts"

/** A lease under which deliveries may be born. */
export interface Lease {
  readonly lease: string
  /** Milliseconds since 1970. */
  readonly lease_until: number
}

/** The receiving end. Its functions return at once and never throw. */
export interface Receiver {
  /** The lease for deliveries about to be born, or null, and they are born pending: for want of room, or to wait. */
  readonly lease: (now: number) => Lease | null
  /** Hands over deliveries born under a lease, after their transaction committed. */
  readonly offer: (jobs: ReadonlyArray<Job>) => void
  /** Tells that deliveries were committed pending, or became due. */
  readonly wake: () => void
  /** Tells that an endpoint was changed or removed: deliveries to it that wait here are out of date. */
  readonly recall: (endpoint: Endpoint) => void
}

/** What the storage is told of deliveries to be born. */
export interface Handoff extends Receiver {
  /** Milliseconds that a delivery born pending waits for its first attempt. */
  readonly delay_ms: number
}

/** No dispatcher here: deliveries are born pending, for whoever claims them. */
const none: Handoff = { delay_ms: 0, lease: () => null, offer: () => {}, wake: () => {}, recall: () => {} }

export const Handoff: Context.Reference<Handoff> = Context.Reference("@tc/store/Handoff", { defaultValue: () => none })
