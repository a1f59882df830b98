/** How the account's deliveries have gone of late, and which endpoints somebody should look at. */
import { Errors, Trouble, Value, WebhookEndpoint } from "@tc/domain"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"

/** How far back. */
export const Span = Schema.Literals(["1h", "24h", "7d"])
export type Span = typeof Span.Type

/** Attempts by what they made of their deliveries, and the milliseconds that so many of them took at most; null without any. */
const tally = {
  succeeded: Value.Count,
  /** They failed, and another follows. */
  retried: Value.Count,
  /** They failed, and none follows. */
  failed: Value.Count,
  p50_ms: Schema.NullOr(Value.Count),
  p95_ms: Schema.NullOr(Value.Count),
}

/** From 0 to 1, of attempts; null where there were none. */
const SuccessRate = Schema.NullOr(Schema.Number)

/** How an endpoint has done: its attempts of the last 24 hours, to the hour, and when its latest ended, within eight days. */
export const activity = { success_rate: SuccessRate, last_attempt_at: Schema.NullOr(Value.Timestamp) }

/** Attempts that ended within one step of time, which begins `at`. */
export const OverviewStep = Schema.Struct({ at: Value.Timestamp, ...tally }).annotate({ identifier: "OverviewStep" })

const { id, url, status, consecutive_failures, disabled_at } = WebhookEndpoint.resource.record.fields

/** An endpoint that somebody should look at, and why. */
export const TroubledEndpoint = Schema.Struct({
  id,
  url,
  status,
  consecutive_failures,
  disabled_at,
  reason: Trouble.Reason,
  ...activity,
}).annotate({ identifier: "TroubledEndpoint" })

export const Overview = Schema.Struct({
  span: Span,
  /** Seconds of each step. */
  step_seconds: Schema.Int,
  /** All steps of the span, oldest first; the last has only begun. */
  steps: Schema.Array(OverviewStep),
  /** All of them together. */
  totals: Schema.Struct({ ...tally, success_rate: SuccessRate }),
  /** The worst first, ten at most. */
  troubled: Schema.Array(TroubledEndpoint),
}).annotate({ identifier: "Overview" })
export type Overview = typeof Overview.Type

export class Overviews extends HttpApiGroup.make("overview")
  .add(
    HttpApiEndpoint.get("get", "/", {
      query: { span: Span.pipe(Schema.withDecodingDefaultKey(Effect.succeed("24h" as const))) },
      success: Overview,
      error: Errors.Invalid,
    }).annotateMerge(
      Crud.about(
        "See how deliveries go",
        "Attempts by how they went and how long they took, in steps of time, and the endpoints in trouble. What happened within the last seconds may not be counted yet.",
      ),
    ),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/overview`)
  .annotate(OpenApi.Description, "How deliveries go.") {}
