/** What an operator can watch of deliveries; `docs/metrics.md` says what each of them means. */
import type { Outcome, Stats, Written } from "@tc/store"
import { Streak } from "@tc/webhooks"
import { type Context, Metric } from "effect"
import type { State } from "./Circuits.ts"
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

const states: ReadonlyArray<State> = ["closed", "open", "half_open", "probing"]

const counter = (id: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.counter(id, { description, attributes, incremental: true })
const gauge = (id: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.gauge(id, { description, attributes })

/** One metric for each value of a label. */
const each = <Value extends string, A>(values: ReadonlyArray<Value>, make: (value: Value) => A) =>
  new Map(values.map((value) => [value, make(value)]))

const attempts = each(endings, (outcome) =>
  counter("webhook_attempts_total", "Attempts by how they ended", { outcome }),
)
const deliveries = each(results, (outcome) =>
  counter("webhook_deliveries_total", "Results written, by what became of the delivery", { outcome }),
)
const inFlight = gauge("webhook_attempts_in_flight", "Attempts under way")
const duration = Metric.histogram("webhook_attempt_duration_seconds", {
  description: "How long attempts take",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
})
const unwritten = gauge("webhook_results_unwritten", "Results of attempts that wait to be written")
const expiries = counter("webhook_lease_expiries_total", "Deliveries claimed whose lease had run out")
const deferrals = counter("webhook_deferrals_total", "Deliveries put off because their endpoint does not answer")
const openings = counter("webhook_circuit_openings_total", "Times that an endpoint stopped answering")
const circuits = each(states, (state) => gauge("webhook_circuits", "Circuits by state", { state }))
const warned = counter(
  "webhook_endpoints_warned_total",
  "Endpoints that came within two failed deliveries of being disabled",
)
const disabled = counter("webhook_endpoints_disabled_total", "Endpoints disabled for their failed deliveries")
const due = gauge("webhook_queue_due", "Deliveries that are due and wait")
const overdue = gauge("webhook_queue_overdue", "Those of them that have waited too long")
const oldest = gauge("webhook_queue_oldest_due_seconds", "How long the oldest of them has waited")

const all = [
  ...[attempts, deliveries, circuits].flatMap((metrics) => [...metrics.values()]),
  inFlight,
  duration,
  unwritten,
  expiries,
  deferrals,
  openings,
  warned,
  disabled,
  due,
  overdue,
  oldest,
]

/** Updates the metrics at once: what happens for each delivery must cost next to nothing. */
export const make = (context: Context.Context<never>) => {
  // What has not happened yet is there too, as 0.
  for (const metric of all) metric.valueUnsafe(context)
  return {
    load: (attempts: number, results: number): void => {
      inFlight.updateUnsafe(attempts, context)
      unwritten.updateUnsafe(results, context)
    },
    ended: (ending: Ending, duration_ms: number): void => {
      attempts.get(ending)?.updateUnsafe(1, context)
      duration.updateUnsafe(duration_ms / 1_000, context)
    },
    settled: (outcome: Outcome, written: Written | null, disable_after: number): void => {
      const result = written === null ? "lost" : typeof outcome === "string" ? outcome : "retried"
      deliveries.get(result)?.updateUnsafe(1, context)
      if (written?.disabled === true) disabled.updateUnsafe(1, context)
      else if (written !== null && Streak.warns(written.failures, disable_after)) warned.updateUnsafe(1, context)
    },
    expired: (leases: number): void => expiries.updateUnsafe(leases, context),
    deferred: (deliveries: number): void => deferrals.updateUnsafe(deliveries, context),
    opened: (): void => openings.updateUnsafe(1, context),
    circuits: (counts: Record<State, number>): void => {
      for (const [state, metric] of circuits) metric.updateUnsafe(counts[state], context)
    },
    queue: (stats: Stats, now: number): void => {
      due.updateUnsafe(stats.due, context)
      overdue.updateUnsafe(stats.overdue, context)
      oldest.updateUnsafe(stats.oldest_due_at === null ? 0 : Math.max(0, now - stats.oldest_due_at) / 1_000, context)
    },
  }
}

export type DeliveryMetrics = ReturnType<typeof make>
