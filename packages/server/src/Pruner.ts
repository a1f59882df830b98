/** Removes what is older than the retention, now and then, a little at a time. */
import { type Place, type Pruned, Retention } from "@tc/store"
import { Clock, Effect, Layer } from "effect"
import { DeliverySettings } from "./DeliverySettings.ts"

/** Events, or deliveries with their attempts, that one statement removes at most, and the bytes of these events. */
const BATCH = 500
const BATCH_BYTES = 16 * 1024 * 1024
/** Milliseconds that it rests after a batch at least; after one that took longer it rests as long. */
const REST_MIN_MS = 50
/** Milliseconds between two runs at most; a short retention is looked after ten times. */
const INTERVAL_MAX_MS = 3_600_000
const RUNS = 10
/** Milliseconds before the first: a process that starts has other things to do, and may not live for an interval. */
const FIRST_MAX_MS = 60_000

/** Removes all that happened before a time. Answers how many events and deliveries that were. */
const run = Effect.fnUntraced(function* (before: number) {
  const retention = yield* Retention
  let removed = 0
  let from: Place | null = null
  do {
    const began = yield* Clock.currentTimeMillis
    const batch: Pruned = yield* retention.prune({ before, limit: BATCH, max_bytes: BATCH_BYTES, from })
    removed += batch.removed
    from = batch.next
    if (batch.removed > 0) yield* Effect.sleep(Math.max(REST_MIN_MS, (yield* Clock.currentTimeMillis) - began))
  } while (from !== null)
  return removed
})

const make = Effect.fnUntraced(function* (retention_ms: number) {
  const interval = Math.min(INTERVAL_MAX_MS, retention_ms / RUNS)
  yield* Effect.sleep(Math.min(FIRST_MAX_MS, interval))
  const step = Effect.gen(function* () {
    const removed = yield* run((yield* Clock.currentTimeMillis) - retention_ms)
    if (removed > 0)
      yield* Effect.logInfo("events and deliveries were removed for their age").pipe(Effect.annotateLogs({ removed }))
  })
  const guarded = Effect.catchCause(step, (cause) => Effect.logWarning("what is old cannot be removed now", cause))
  return yield* Effect.forever(Effect.andThen(guarded, Effect.sleep(interval)))
})

/** Prunes for as long as its scope is open, unless the settings say that all is kept; several processes may. */
export const layer: Layer.Layer<never, never, Retention> = Layer.effectDiscard(
  Effect.flatMap(DeliverySettings, ({ retention_ms }) =>
    retention_ms === null ? Effect.void : Effect.forkScoped(make(retention_ms)),
  ),
)
