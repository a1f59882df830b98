/** Hears what other processes on the database tell of deliveries and endpoints, and acts on it here. */
import { PgClient } from "@effect/sql-pg"
import { Handoff, Notices } from "@tc/store"
import { Effect, Layer, Queue } from "effect"

/** Milliseconds until a connection that was lost is opened again. */
const PAUSE_MS = 1_000

const listen = Effect.gen(function* () {
  const client = yield* PgClient.PgClient
  const handoff = yield* Handoff
  const notifications = yield* client.listen(Notices.CHANNEL)
  // What was told while nobody listened.
  handoff.wake()
  return yield* Effect.forever(
    Effect.map(Queue.take(notifications), ({ payload }) => Notices.receive(handoff, payload)),
  )
}).pipe(Effect.scoped)

/** Listens for as long as its scope is open. Where that cannot be, as behind some poolers, dispatchers look by themselves. */
export const layer = Layer.effectDiscard(
  Effect.forkScoped(
    listen.pipe(
      Effect.catchCause((cause) => Effect.logDebug("other processes cannot be heard now", cause)),
      Effect.andThen(Effect.sleep(PAUSE_MS)),
      Effect.forever,
    ),
  ),
)
