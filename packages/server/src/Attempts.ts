/** Makes one attempt of a delivery, for the dispatcher and for a person's test alike: sign, send, answer. */
import { Event, SigningSecrets, Value } from "@tc/domain"
import type { Job } from "@tc/store"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { DeliverySettings } from "./DeliverySettings.ts"
import * as Keyring from "./Keyring.ts"
import { Recent } from "./Recent.ts"
import { SecretBox } from "./SecretBox.ts"
import { type Answer, Sender } from "./Sender.ts"

/** What an attempt needs to know of its delivery. */
export type Target = Pick<Job, "account_id" | "id" | "endpoint_id" | "event" | "tail" | "url" | "secret">

/** Keyrings kept, each with its keys made; about 1 KiB for each key. */
const KEYRINGS_MAX = 10_000

/** A stored secret of an endpoint cannot be decrypted here, or is none: no attempt can be signed. */
export class UnreadableSecret extends Data.TaggedError("UnreadableSecret")<{ readonly cause: unknown }> {}

export class Attempts extends Context.Service<
  Attempts,
  {
    /**
     * Signs the delivery's body afresh and POSTs it. Fails when the secret cannot be read, which is not the receiver's
     * fault and no attempt.
     */
    readonly make: (target: Target) => Effect.Effect<Answer, UnreadableSecret>
  }
>()("@tc/server/Attempts") {
  static readonly layer: Layer.Layer<Attempts, never, Sender | SecretBox> = Layer.effect(
    Attempts,
    Effect.suspend(() => make),
  )
}

const encoder = new TextEncoder()

/** A text in UTF-8. Where there is a `Buffer`, its pool is much cheaper than an array of its own for each. */
const bytesOf: (text: string) => Uint8Array =
  "Buffer" in globalThis ? (text) => Buffer.from(text) : (text) => encoder.encode(text)

/** A keyring, and whose it is. */
interface Kept extends Pick<Target, "account_id" | "endpoint_id"> {
  readonly keyring: Keyring.Keyring
}

const make = Effect.gen(function* () {
  const { brand } = yield* DeliverySettings
  const sender = yield* Sender
  const box = yield* SecretBox
  const clock = yield* Clock.Clock
  /** By stored secrets. */
  const kept = new Recent<Kept>(KEYRINGS_MAX)

  /** Stored secrets open for their own endpoint only. */
  const keyringOf = ({ account_id, endpoint_id, secret }: Target): Keyring.Keyring | undefined => {
    const found = kept.get(secret)
    return found?.account_id === account_id && found.endpoint_id === endpoint_id ? found.keyring : undefined
  }

  const open = (target: Target) =>
    Effect.forEach(SigningSecrets.valid(target.secret, clock.currentTimeMillisUnsafe()), ({ secret, until }) =>
      Effect.map(box.decrypt(secret, target), (secret) => ({ secret, until })),
    ).pipe(
      Effect.map((secrets) => Keyring.make(secrets, { brand })),
      Effect.catchDefect((cause) => Effect.fail(new UnreadableSecret({ cause }))),
    )

  const send = ({ id, event, tail, url }: Target, keyring: Keyring.Keyring) => {
    const body = bytesOf(Event.body(id, tail))
    const now = clock.currentTimeMillisUnsafe()
    const timestamp = Math.floor(now / 1_000)
    const headers = keyring(now).headers({ id, event, timestamp, body })
    return sender.send({ url, headers, body, started_at: Value.timestamp(now) })
  }

  return Attempts.of({
    make: (target) =>
      Effect.suspend(() => {
        const keyring = keyringOf(target)
        if (keyring !== undefined) return send(target, keyring)
        return Effect.flatMap(open(target), (keyring) => {
          const { account_id, endpoint_id, secret } = target
          kept.set(secret, { account_id, endpoint_id, keyring })
          return send(target, keyring)
        })
      }),
  })
})
