/** Makes one attempt of a delivery, for the dispatcher and for a person's test alike: sign, send, answer. */
import { Event } from "@tc/domain"
import type { Job } from "@tc/store"
import { Signer } from "@tc/webhooks"
import { Clock, Context, Effect, Layer } from "effect"
import { DeliverySettings } from "./DeliverySettings.ts"
import { SecretBox } from "./SecretBox.ts"
import { type Answer, Sender } from "./Sender.ts"

/** What an attempt needs to know of its delivery. */
export type Target = Pick<Job, "account_id" | "id" | "endpoint_id" | "event" | "tail" | "url" | "secret">

/** Signers kept, each with its keys made; about 1 KiB each. */
const SIGNERS_MAX = 10_000

export class Attempts extends Context.Service<
  Attempts,
  {
    /**
     * Signs the delivery's body afresh and POSTs it. Never fails; dies when the secret cannot be decrypted, which is not
     * the receiver's fault and no attempt.
     */
    readonly make: (target: Target) => Effect.Effect<Answer>
  }
>()("@tc/server/Attempts") {
  static readonly layer: Layer.Layer<Attempts, never, Sender | SecretBox> = Layer.effect(
    Attempts,
    Effect.suspend(() => make),
  )
}

/** A signer, and the stored secret and the account it is for. */
interface Kept extends Pick<Target, "account_id" | "secret"> {
  readonly signer: Signer.Signer
}

const make = Effect.gen(function* () {
  const { brand } = yield* DeliverySettings
  const sender = yield* Sender
  const box = yield* SecretBox
  const clock = yield* Clock.Clock
  const encoder = new TextEncoder()
  /** By endpoint, the longest unused first. */
  const kept = new Map<string, Kept>()

  const keep = (target: Target, signer: Signer.Signer): Signer.Signer => {
    kept.delete(target.endpoint_id)
    kept.set(target.endpoint_id, { account_id: target.account_id, secret: target.secret, signer })
    const oldest = kept.keys().next().value
    if (kept.size > SIGNERS_MAX && oldest !== undefined) kept.delete(oldest)
    return signer
  }

  /** An id is unique in its account only, and a secret can be replaced. */
  const signerOf = ({ account_id, endpoint_id, secret }: Target): Signer.Signer | undefined => {
    const found = kept.get(endpoint_id)
    return found?.account_id === account_id && found.secret === secret ? found.signer : undefined
  }

  const send = ({ id, event, tail, url }: Target, signer: Signer.Signer) => {
    const body = encoder.encode(Event.body(id, tail))
    const timestamp = Math.floor(clock.currentTimeMillisUnsafe() / 1_000)
    return sender.send({ url, headers: signer.headers({ id, event, timestamp, body }), body })
  }

  return Attempts.of({
    make: (target) =>
      Effect.suspend(() => {
        const signer = signerOf(target)
        if (signer !== undefined) return send(target, keep(target, signer))
        return Effect.flatMap(box.decrypt(target.secret, target), (secret) =>
          send(target, keep(target, Signer.make(secret, { brand }))),
        )
      }),
  })
})
