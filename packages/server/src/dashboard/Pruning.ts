/** Removes sessions, invitations, counts of tries and entries of the audit log whose time is over, now and then. */
import { AuditEntry, Session, Value } from "@tc/domain"
import { AuditLog, Invitations, Sessions, Throttles } from "@tc/store"
import { Clock, Effect, Layer } from "effect"

const INTERVAL = "1 hour"

const step = Effect.gen(function* () {
  const millis = yield* Clock.currentTimeMillis
  const before = {
    created_at: Value.timestamp(millis - Session.LASTS_MS),
    last_seen_at: Value.timestamp(millis - Session.IDLE_MS),
  }
  yield* (yield* Sessions).prune(before)
  yield* (yield* Invitations).prune(Value.timestamp(millis))
  yield* (yield* Throttles).prune
  yield* (yield* AuditLog).prune(Value.timestamp(millis - AuditEntry.LASTS_MS))
})

/** Runs for as long as its scope is open; several processes may. */
export const layer: Layer.Layer<never, never, AuditLog | Invitations | Sessions | Throttles> = Layer.effectDiscard(
  Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.catchCause(step, (cause) => Effect.logWarning("what is over cannot be removed now", cause)),
        Effect.sleep(INTERVAL),
      ),
    ),
  ),
)
