/** Runs a command on the storage that the server uses, also while the server runs. */
import type { Accounts, ApiKeys, AuditLog, Invitations, Members } from "@tc/store"
import { Data, Effect, type Layer } from "effect"
import * as StorageLayer from "../node/StorageLayer.ts"
import { Environment } from "./Environment.ts"

/** A command that cannot be run here; the message says why. */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

/** Why there is no storage to run on. */
export type StorageError = Refused | Layer.Error<ReturnType<typeof StorageLayer.layer>>

/** Fails where the storage is the memory of another process. */
export const withStorage = <A, E>(
  effect: Effect.Effect<A, E, Accounts | ApiKeys | AuditLog | Invitations | Members>,
): Effect.Effect<A, E | StorageError, Environment> =>
  Effect.gen(function* () {
    const config = yield* Environment
    if (config.storage.kind === "memory") {
      return yield* new Refused({
        message:
          "With TC_STORE=memory the records are in the server's memory, out of reach of commands. Give the server a key with TC_BOOTSTRAP_API_KEY.",
      })
    }
    return yield* Effect.provide(effect, StorageLayer.layer(config))
  })
