/** How deliveries reach a dispatcher in the same process without a trip through the queue. */
import { Context } from "effect"
import type { Job } from "./Deliveries.ts"

/** A lease under which deliveries may be born. */
export interface Lease {
  readonly lease: string
  /** Milliseconds since 1970. */
  readonly lease_until: number
}

/** The receiving end. Its functions return at once and never throw. */
export interface Receiver {
  /** The lease for deliveries about to be born, or null when there is no room for more: they are then born pending. */
  readonly lease: (now: number) => Lease | null
  /** Hands over deliveries born under a lease, after their transaction committed. */
  readonly offer: (jobs: ReadonlyArray<Job>) => void
  /** Tells that deliveries were committed pending, or became due. */
  readonly wake: () => void
}

/** No dispatcher here: deliveries are born pending, for whoever claims them. */
export const none: Receiver = { lease: () => null, offer: () => {}, wake: () => {} }

export const Handoff = Context.Reference<Receiver>("@tc/store/Handoff", { defaultValue: () => none })
