/** What a worker does, for tests that claim: they need a queue that nobody else claims from while they run. */
import type { Delivery, Errors, Id, WebhookEndpoint } from "@tc/domain"
import { Clock, Effect } from "effect"
import type { Accounts } from "../Accounts.ts"
import { type ClaimRequest, Deliveries, type Job, type Outcome, type Streak, type Written } from "../Deliveries.ts"
import type { Assets, WebhookEndpoints } from "../Repository.ts"
import * as Fixture from "./Fixture.ts"

const HOUR = 3_600_000
/** Claims of 500 that are enough to empty any queue that other tests leave. */
const ROUNDS = 100

/** All that is due, for an hour. */
export const anything: ClaimRequest = {
  limit: 100,
  per_endpoint: 100,
  quick: [],
  max_bytes: 1024 * 1024 * 1024,
  saturated: [],
  lease_ms: HOUR,
}

/** Five failures in a row disable an endpoint. */
export const streak: Streak = (failures) => ({ consecutive_failures: failures + 1, disable: failures + 1 >= 5 })

/** Leases all that is due for an hour, so that a test finds only what it makes. */
export const clear: Effect.Effect<void, never, Deliveries> = Effect.gen(function* () {
  const deliveries = yield* Deliveries
  for (let round = 0; (yield* deliveries.stats).due > 0; round++) {
    if (round === ROUNDS) return yield* Effect.die(new Error("deliveries are due that no claim gets"))
    yield* deliveries.claim({ ...anything, limit: 500, per_endpoint: 500 })
  }
})

/** The jobs of one claim: all that is due, for an hour, unless `request` says otherwise. */
export const claim = (request: Partial<ClaimRequest> = {}): Effect.Effect<ReadonlyArray<Job>, never, Deliveries> =>
  Effect.flatMap(Deliveries, (deliveries) =>
    Effect.map(deliveries.claim({ ...anything, ...request }), ({ jobs }) => jobs),
  )

/** Claims for a lease that has run out when this returns. */
export const claimBriefly: Effect.Effect<ReadonlyArray<Job>, never, Deliveries> = Effect.tap(
  claim({ lease_ms: 1 }),
  Effect.sleep("10 millis"),
)

/** A time so many milliseconds from now, before it when negative. */
export const at = (millis: number): Effect.Effect<string> =>
  Effect.map(Clock.currentTimeMillis, (now) => new Date(now + millis).toISOString())

/** The attempt that a job asked for: answered 200, or what `fields` say. */
export const attempt = (job: Job, fields: Partial<Delivery.Attempt> = {}): Delivery.Attempt => ({
  number: job.attempt,
  started_at: "2026-11-01T12:00:00.000Z",
  duration_ms: 12,
  status_code: 200,
  error: null,
  response_excerpt: null,
  ...fields,
})

/** For each result whether its lease was still held. */
export const held = (written: ReadonlyArray<Written | null>): ReadonlyArray<boolean> =>
  written.map((one) => one !== null)

/** Settles jobs with one outcome; answers for each whether its lease was still held. */
export const settle = (
  jobs: ReadonlyArray<Job>,
  outcome: Outcome,
): Effect.Effect<ReadonlyArray<boolean>, never, Deliveries> =>
  Effect.flatMap(Deliveries, (deliveries) =>
    Effect.map(
      deliveries.settle(
        jobs.map((job) => ({ job, attempt: attempt(job), outcome })),
        streak,
      ),
      held,
    ),
  )

/** Raises as many events, one after the other, each the cause of one delivery to every endpoint of the account. */
export const raise = (
  account_id: Id.AccountId,
  times: number,
): Effect.Effect<void, Errors.Conflict | Errors.Invalid, Assets> =>
  Effect.forEach(Array.from({ length: times }), () => Effect.andThen(Fixture.asset(account_id), Fixture.later), {
    discard: true,
  })

/** An account with an endpoint and as many deliveries due to it, oldest first, in a queue that holds nothing else. */
export const waiting: (times: number) => Effect.Effect<
  {
    readonly account_id: Id.AccountId
    readonly endpoint: WebhookEndpoint.WebhookEndpoint
    readonly deliveries: ReadonlyArray<Delivery.Delivery>
  },
  Errors.Conflict | Errors.Invalid,
  Accounts | Assets | Deliveries | WebhookEndpoints
> = Effect.fnUntraced(function* (times: number) {
  yield* clear
  const account_id = yield* Fixture.account
  const endpoint = yield* Fixture.endpoint(account_id)
  yield* raise(account_id, times)
  return { account_id, endpoint, deliveries: yield* Fixture.deliveries(account_id) }
})

/** The ids of rows, in an order that does not matter. */
export const ids = (rows: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  rows.map(({ id }) => id).toSorted()
