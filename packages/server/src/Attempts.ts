/** Makes one attempt of a delivery, for the dispatcher and for a person's test alike: sign, send, answer. */
import { Event } from "@tc/domain"
import type { Job } from "@tc/store"
import { Signer } from "@tc/webhooks"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { DeliverySettings } from "./DeliverySettings.ts"
import { SecretBox } from "./SecretBox.ts"
import { type Answer, Sender } from "./Sender.ts"

/** What an attempt needs to know of its delivery. */
export type Target = Pick<Job, "account_id" | "id" | "endpoint_id" | "event" | "tail" | "url" | "secret">

/** Signers kept, each with its keys made; about 1 KiB each. */
const SIGNERS_MAX = 10_000

/** The stored secret of an endpoint cannot be decrypted here, or is none: no attempt can be signed. */
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

/** A signer, and whose it is. */
interface Kept extends Pick<Target, "account_id" | "endpoint_id"> {
  readonly signer: Signer.Signer
}

const make = Effect.gen(function* () {
  const { brand } = yield* DeliverySettings
  const sender = yield* Sender
  const box = yield* SecretBox
  const clock = yield* Clock.Clock
  const encoder = new TextEncoder()
  /** By stored secret, the longest unused first. */
  const kept = new Map<string, Kept>()

  const keep = ({ account_id, endpoint_id, secret }: Target, signer: Signer.Signer): void => {
    kept.delete(secret)
    kept.set(secret, { account_id, endpoint_id, signer })
    const oldest = kept.keys().next().value
    if (kept.size > SIGNERS_MAX && oldest !== undefined) kept.delete(oldest)
  }

  /** A stored secret opens for its own endpoint only. */
  const signerOf = ({ account_id, endpoint_id, secret }: Target): Signer.Signer | undefined => {
    const found = kept.get(secret)
    return found?.account_id === account_id && found.endpoint_id === endpoint_id ? found.signer : undefined
  }

  const open = (target: Target) =>
    box.decrypt(target.secret, target).pipe(
      Effect.map((secret) => Signer.make(secret, { brand })),
      Effect.catchDefect((cause) => Effect.fail(new UnreadableSecret({ cause }))),
    )

  const send = (target: Target, signer: Signer.Signer) => {
    const { id, event, tail, url } = target
    keep(target, signer)
    const body = encoder.encode(Event.body(id, tail))
    const timestamp = Math.floor(clock.currentTimeMillisUnsafe() / 1_000)
    return sender.send({ url, headers: signer.headers({ id, event, timestamp, body }), body })
  }

  return Attempts.of({
    make: (target) =>
      Effect.suspend(() => {
        const signer = signerOf(target)
        return signer === undefined
          ? Effect.flatMap(open(target), (signer) => send(target, signer))
          : send(target, signer)
      }),
  })
})
