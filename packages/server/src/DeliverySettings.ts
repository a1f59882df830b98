/** How deliveries are made: all that an operator can set, with the defaults. */
import { Retry } from "@tc/webhooks"
import { Context } from "effect"
import type { Limits } from "./Circuits.ts"

/** All of it. */
export type DeliverySettings = Settings

export interface Settings {
  /** The brand word in header names and user agent. */
  readonly brand: string
  /** Milliseconds to wait before attempts 1…n; the length is how many attempts there are. */
  readonly schedule: Retry.Schedule
  /** Milliseconds for one attempt. */
  readonly timeout_ms: number
  /** Deliveries exhausted in a row that disable an endpoint. */
  readonly disable_after: number
  /** Attempts in flight at most. */
  readonly concurrency: number
  /** Attempts in flight to one endpoint at most. */
  readonly per_endpoint: number
  /** Attempts in flight at most to an endpoint that has not answered yet; one more for each that it answers while others wait. */
  readonly window: number
  /** When an endpoint that does not answer is left alone, and for how long. */
  readonly circuit: Omit<Limits, "probe_ms">
  /** Milliseconds between two looks at the queue when nothing says when the next delivery is due. */
  readonly poll_ms: number
  /** Milliseconds for which events, deliveries and attempts are kept once they are over; null: for ever. */
  readonly retention_ms: number | null
  /** Allows http and private addresses. For development only. */
  readonly allow_private: boolean
}

export const defaults: Settings = {
  brand: "Service",
  schedule: Retry.defaultSchedule,
  timeout_ms: 30_000,
  disable_after: 5,
  concurrency: 1_024,
  per_endpoint: 32,
  window: 2,
  circuit: { after: 5, pause_ms: 5_000, pause_max_ms: 60_000, jitter: 0.1 },
  poll_ms: 1_000,
  retention_ms: 30 * 86_400_000,
  allow_private: false,
}

/** The defaults, unless others are provided. */
export const DeliverySettings: Context.Reference<Settings> = Context.Reference("@tc/server/DeliverySettings", {
  defaultValue: () => defaults,
})
