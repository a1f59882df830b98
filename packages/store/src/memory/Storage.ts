/** Memory answers always. */
import { Effect, Layer } from "effect"
import * as Service from "../Storage.ts"

export const layer = Layer.succeed(Service.Storage, Service.Storage.of({ ready: Effect.void }))
