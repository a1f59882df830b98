/** How the account's deliveries have gone of late, and which endpoints somebody should look at. */
import { Dashboard } from "@tc/api"
import { Tally, Trouble, Value } from "@tc/domain"
import { type Activity, beginningOf, HOUR_MS, MINUTE_MS, Tallies, type Troubled } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"

/** Milliseconds by which an endpoint is judged. */
const JUDGED_MS = 24 * HOUR_MS
/** Endpoints in trouble that are told of. */
const TROUBLED_MAX = 10

/** The steps of each span: how many, and milliseconds of each. */
const spans = {
  "1h": { steps: 60, step_ms: MINUTE_MS },
  "24h": { steps: 96, step_ms: 15 * MINUTE_MS },
  "7d": { steps: 84, step_ms: 2 * HOUR_MS },
} as const satisfies Record<Dashboard.Span, { readonly steps: number; readonly step_ms: number }>

/** Since when an endpoint is judged. */
export const judgedSince = Effect.map(Clock.currentTimeMillis, (millis) => millis - JUDGED_MS)

/** How an endpoint has done, as the contract tells it. */
export const shownActivity = ({ outcomes, latest_at }: Activity) => ({
  success_rate: Tally.successRate(outcomes),
  last_attempt_at: latest_at === null ? null : Value.timestamp(latest_at),
})

const shownTally = ({ succeeded, retried, failed, durations }: Tally.Tally) => {
  const millis = (share: number) => {
    const found = Tally.quantile(durations, share)
    return found === null ? null : Math.round(found)
  }
  return { succeeded, retried, failed, p50_ms: millis(0.5), p95_ms: millis(0.95) }
}

const shownTrouble = (troubled: Troubled) => {
  const { id, url, status, consecutive_failures, disabled_at } = troubled.endpoint
  const reason = Trouble.reasonOf(troubled)
  return reason === null
    ? []
    : [{ id, url, status, consecutive_failures, disabled_at, reason, ...shownActivity(troubled) }]
}

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "overview",
  Effect.fnUntraced(function* (group) {
    const tallies = yield* Tallies
    return group.handleAll({
      get: Effect.fnUntraced(function* ({ query: { span } }) {
        const { account_id } = yield* Dashboard.CurrentSession
        const { steps: count, step_ms } = spans[span]
        const until = beginningOf(yield* Clock.currentTimeMillis, step_ms) + step_ms
        const from = until - count * step_ms
        const found = yield* tallies.steps(account_id, { from, until, step_ms })
        const troubled = yield* tallies.troubled(account_id, { since: yield* judgedSince, limit: TROUBLED_MAX })
        const total = found.reduce<Tally.Tally>((sum, step) => Tally.add(sum, step), Tally.none)
        const known = new Map(found.map((step) => [step.at, step]))
        const times = Array.from({ length: count }, (_, nth) => from + nth * step_ms)
        return Responses.json({
          span,
          step_seconds: step_ms / 1_000,
          steps: times.map((at) => ({ at: Value.timestamp(at), ...shownTally(known.get(at) ?? Tally.none) })),
          totals: { ...shownTally(total), success_rate: Tally.successRate(total) },
          troubled: troubled.flatMap(shownTrouble),
        } satisfies Dashboard.Overview)
      }),
    })
  }),
)
