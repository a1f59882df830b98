/** When keys were last used: noted in memory, and written for all of them at once every few seconds. */
import { ApiKeys, type Use } from "@tc/store"
import { Context, Effect, Layer, Schedule } from "effect"
import { HttpSettings } from "./HttpSettings.ts"

export class KeyUse extends Context.Service<
  KeyUse,
  {
    /** Notes that a key was used. Costs no write. */
    readonly note: (use: Use) => void
  }
>()("@tc/server/KeyUse") {}

/** How long an end waits for the last write: deliveries have to end after it, within a time of their own. */
const LAST_WRITE = "1 second"

/** Writes what was noted at the interval of the settings, and once more at the end. What cannot be written is dropped. */
export const layer = Layer.effect(
  KeyUse,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { key_use_interval_ms } = yield* HttpSettings
    /** By account and key: another account may have a key of the same id. */
    const noted = new Map<string, Use>()
    const write = Effect.suspend(() => {
      const uses = [...noted.values()]
      noted.clear()
      return uses.length === 0 ? Effect.void : keys.touch(uses)
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("when keys were last used could not be written", cause)))
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(write), LAST_WRITE))
    yield* Effect.forkScoped(Effect.schedule(write, Schedule.spaced(key_use_interval_ms)))
    return KeyUse.of({ note: (use) => noted.set(`${use.account_id}/${use.id}`, use) })
  }),
)
