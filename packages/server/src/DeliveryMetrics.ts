/** What an operator can watch of deliveries. */
import type { Outcome, Stats, Written } from "@tc/store"
import { Streak } from "@tc/webhooks"
import { type Context, Metric } from "effect"
import type { Ending } from "./Outcome.ts"

const endings: ReadonlyArray<Ending> = [
  "succeeded",
  "rejected",
  "timeout",
  "dns_error",
  "connection_refused",
  "connection_reset",
  "tls_error",
  "blocked_address",
  "invalid_response",
]

/** What was written of a delivery; `lost` when another worker had taken it meanwhile. */
const results = ["succeeded", "retried", "exhausted", "gone", "failed", "lost"] as const

const counters = <Name extends string>(id: string, description: string, outcomes: ReadonlyArray<Name>) =>
  new Map(
    outcomes.map((outcome) => [
      outcome,
      Metric.counter(id, { description, attributes: { outcome }, incremental: true }),
    ]),
  )

const attempts = counters("webhook_attempts_total", "Attempts by how they ended", endings)
const deliveries = counters("webhook_deliveries_total", "Results written, by what became of the delivery", results)
const inFlight = Metric.gauge("webhook_attempts_in_flight", { description: "Attempts under way" })
const duration = Metric.histogram("webhook_attempt_duration_seconds", {
  description: "How long attempts take",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
})
const deferrals = Metric.counter("webhook_deferrals_total", {
  description: "Deliveries put off because their endpoint does not answer",
  incremental: true,
})
const openings = Metric.counter("webhook_circuit_openings_total", {
  description: "Times that an endpoint stopped to answer",
  incremental: true,
})
const due = Metric.gauge("webhook_queue_due", { description: "Deliveries that are due and wait" })
const oldest = Metric.gauge("webhook_queue_oldest_due_seconds", {
  description: "How long the oldest of them has waited",
})

const warned = Metric.counter("webhook_endpoints_warned_total", {
  description: "Endpoints that came within two failed deliveries of being disabled",
  incremental: true,
})
const disabled = Metric.counter("webhook_endpoints_disabled_total", {
  description: "Endpoints disabled for their failed deliveries",
  incremental: true,
})

/** Updates the metrics at once: what happens for each delivery must cost next to nothing. */
export const make = (context: Context.Context<never>) => ({
  started: (under_way: number): void => inFlight.updateUnsafe(under_way, context),
  ended: (under_way: number, ending: Ending, duration_ms: number): void => {
    inFlight.updateUnsafe(under_way, context)
    attempts.get(ending)?.updateUnsafe(1, context)
    duration.updateUnsafe(duration_ms / 1_000, context)
  },
  deferred: (deliveries: number): void => deferrals.updateUnsafe(deliveries, context),
  opened: (): void => openings.updateUnsafe(1, context),
  settled: (outcome: Outcome, written: Written | null, disable_after: number): void => {
    const result = written === null ? "lost" : typeof outcome === "string" ? outcome : "retried"
    deliveries.get(result)?.updateUnsafe(1, context)
    if (written?.disabled === true) disabled.updateUnsafe(1, context)
    else if (written !== null && Streak.warns(written.failures, disable_after)) warned.updateUnsafe(1, context)
  },
  queue: (stats: Stats, now: number): void => {
    due.updateUnsafe(stats.due, context)
    oldest.updateUnsafe(stats.oldest_due_at === null ? 0 : Math.max(0, now - stats.oldest_due_at) / 1_000, context)
  },
})

export type DeliveryMetrics = ReturnType<typeof make>
