/** What a worker does with recoveries, for tests that have some: nobody else may work on those of the storage meanwhile. */
import type { Errors, Id, Recovery, WebhookEndpoint } from "@tc/domain"
import { Clock, Effect } from "effect"
import type { Accounts } from "../Accounts.ts"
import type { Deliveries } from "../Deliveries.ts"
import { Events } from "../Events.ts"
import { type AdvanceRequest, Recoveries, type Wanted } from "../Recoveries.ts"
import type { Assets, WebhookEndpoints } from "../Repository.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

const HOUR = 3_600_000

/** Bounds that no test comes near. */
export const anything: AdvanceRequest = { limit: 100, max_open: 100, settle_ms: 0, rest_ms: 0 }

/** Advances what is due first by one batch; answers the recovery as that left it, null where its lease was lost, nothing where none is due. */
export const step = (
  request: Partial<AdvanceRequest> = {},
): Effect.Effect<Recovery.Recovery | null | undefined, never, Recoveries> =>
  Effect.gen(function* () {
    const recoveries = yield* Recoveries
    const claimed = yield* recoveries.claim(HOUR)
    return claimed === null ? undefined : yield* recoveries.advance(claimed, { ...anything, ...request })
  })

/** Advances whatever is due, batch after batch; answers the recoveries as each batch left them. */
export const work = (
  request: Partial<AdvanceRequest> = {},
): Effect.Effect<ReadonlyArray<Recovery.Recovery>, never, Recoveries> =>
  Effect.gen(function* () {
    const steps: Array<Recovery.Recovery> = []
    for (;;) {
      const recovery = yield* step(request)
      if (recovery === undefined) return steps
      if (recovery !== null) steps.push(recovery)
    }
  })

/** Asks for a recovery of an hour, unless `wanted` says otherwise. */
export const ask = (
  { account_id, id }: WebhookEndpoint.WebhookEndpoint,
  wanted: Partial<Wanted> = {},
): Effect.Effect<Recovery.Recovery, Errors.NotFound | Errors.Conflict, Recoveries> =>
  Effect.gen(function* () {
    const millis = yield* Clock.currentTimeMillis
    const hour = { since: new Date(millis - HOUR).toISOString(), until: new Date(millis).toISOString(), events: null }
    const recovery = yield* (yield* Recoveries).create(account_id, id, { ...hour, ...wanted })
    // What happens in the present moment is left to the next one.
    yield* Fixture.later
    return recovery
  })

/** An endpoint that was disabled while so many events happened, and is active again. */
export const missing: (
  times: number,
) => Effect.Effect<
  { readonly account_id: Id.AccountId; readonly endpoint: WebhookEndpoint.WebhookEndpoint },
  Errors.NotFound | Errors.Conflict | Errors.Invalid,
  Accounts | Assets | WebhookEndpoints
> = Effect.fnUntraced(function* (times: number) {
  const account_id = yield* Fixture.account
  const { id } = yield* Fixture.endpoint(account_id, { status: "disabled" })
  yield* Queue.raise(account_id, times)
  return { account_id, endpoint: yield* Fixture.patchEndpoint(account_id, id, { status: "active" }) }
})

/** The ids of an account's events, oldest first; there may be fewer than a test takes by their places. */
export const eventIds = (account_id: Id.AccountId): Effect.Effect<Array<string | undefined>, Errors.Invalid, Events> =>
  Effect.gen(function* () {
    const { data } = yield* (yield* Events).list(account_id, Fixture.all)
    return data.map(({ id }) => id).toReversed()
  })

/** The events of an account's deliveries, oldest first, by status where one is given. */
export const delivered = (
  account_id: Id.AccountId,
  status?: "pending" | "canceled",
): Effect.Effect<Array<string | undefined>, never, Deliveries> =>
  Effect.map(Fixture.deliveries(account_id, status === undefined ? {} : { status }), (all) =>
    all.map(({ event_id }) => event_id),
  )
