/** Works on recoveries, whoever asked for them: a batch at a time, each followed by a rest. */
import { type AdvanceRequest, Recoveries } from "@tc/store"
import { Effect, Layer } from "effect"
import { DeliverySettings } from "./DeliverySettings.ts"

/** The bounds of one batch. */
const BATCH: AdvanceRequest = {
  limit: 500,
  // Far more than are attempted at once, and so few that nothing else waits for them.
  max_open: 256,
  // Longer than a statement that raises events takes, and than clocks are apart.
  settle_ms: 2_000,
  rest_ms: 500,
}
/** Milliseconds that a recovery is held for a batch: one of a process that died goes on after it. */
const LEASE_MS = 60_000
/** Milliseconds between two batches. */
const REST_MS = 50
/** Milliseconds before the next try where the storage cannot be reached. */
const BACKOFF_MS = 5_000

const make = Effect.gen(function* () {
  const { advance, claim } = yield* Recoveries
  const { poll_ms } = yield* DeliverySettings
  const step = Effect.gen(function* () {
    const claimed = yield* claim(LEASE_MS)
    if (claimed === null) return yield* Effect.sleep(poll_ms)
    const recovery = yield* advance(claimed, BATCH)
    if (recovery?.completed_at != null) {
      const { account_id, endpoint_id, event_count, delivery_count } = recovery
      const about = { recovery_id: recovery.id, account_id, endpoint_id, event_count, delivery_count }
      yield* Effect.logInfo("an endpoint has recovered what it missed").pipe(Effect.annotateLogs(about))
    }
    yield* Effect.sleep(REST_MS)
  })
  const guarded = Effect.catchCause(step, (cause) =>
    Effect.andThen(Effect.logWarning("recoveries cannot go on now", cause), Effect.sleep(BACKOFF_MS)),
  )
  yield* Effect.forkScoped(Effect.forever(guarded))
})

/** Works for as long as its scope is open; several processes may on the same storage. */
export const layer: Layer.Layer<never, never, Recoveries> = Layer.effectDiscard(make)
