/** How the attempts of each account went, by the minute, and those of each endpoint, by the hour. */
import type { Id, Tally, Trouble, WebhookEndpoint } from "@tc/domain"
import { Context, type Effect } from "effect"

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

/** Attempts of one endpoint that ended within one minute. All times here are milliseconds since 1970. */
export interface Counted extends Tally.Tally {
  readonly account_id: Id.AccountId
  readonly endpoint_id: Id.WebhookEndpointId
  /** When the minute begins. */
  readonly minute: number
  /** When the latest of them ended. */
  readonly latest_at: number
}

/** Which attempts to sum up, and in steps of how many milliseconds: whole minutes. */
export interface StepsRequest {
  readonly from: number
  readonly until: number
  readonly step_ms: number
}

/** All attempts of an account that ended in one step. */
export interface Step extends Tally.Tally {
  /** When it begins: a multiple of its length. */
  readonly at: number
}

/** How an endpoint has done of late. */
export interface Activity {
  /** Of its attempts since the hour of a time. */
  readonly outcomes: Tally.Outcomes
  /** When its latest attempt ended that is known of, however long ago; null for none. */
  readonly latest_at: number | null
}

/** The same of one of several endpoints. */
export interface OfEndpoint extends Activity {
  readonly endpoint_id: Id.WebhookEndpointId
}

/** An endpoint that somebody should look at. */
export interface Troubled extends Activity, Trouble.Subject {
  readonly endpoint: WebhookEndpoint.WebhookEndpoint
}

/** Which of the endpoints in trouble: so many at most, judged by their attempts since the hour of a time. */
export interface TroubledRequest {
  readonly since: number
  readonly limit: number
}

/** Statistics, which decide nothing. Storage that cannot be reached is a defect, `Unavailable`. */
export class Tallies extends Context.Service<
  Tallies,
  {
    /** Adds to what is there, whoever adds at the same moment. Where its answer is lost, it may be there. */
    readonly add: (counted: ReadonlyArray<Counted>) => Effect.Effect<void>
    /** The steps of an account that have attempts, oldest first: of the minutes from `from` on, those before `until`. */
    readonly steps: (account_id: Id.AccountId, request: StepsRequest) => Effect.Effect<ReadonlyArray<Step>>
    /** How some endpoints have done since the hour of a time, in any order. Those of which nothing is known are left out. */
    readonly ofEndpoints: (
      account_id: Id.AccountId,
      ids: ReadonlyArray<Id.WebhookEndpointId>,
      since: number,
    ) => Effect.Effect<ReadonlyArray<OfEndpoint>>
    /** The endpoints for which `Trouble` has a reason, the worst first, as it says. */
    readonly troubled: (account_id: Id.AccountId, request: TroubledRequest) => Effect.Effect<ReadonlyArray<Troubled>>
    /** Removes what is older than the hour of a time, of all accounts. */
    readonly prune: (before: number) => Effect.Effect<void>
  }
>()("@tc/store/Tallies") {}

/** When the minute, the hour or any such step began in which a time lies. */
export const beginningOf = (millis: number, step_ms: number): number => Math.floor(millis / step_ms) * step_ms
