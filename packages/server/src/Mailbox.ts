/** Where the storage hands over deliveries before it knows its dispatcher, which is built after it and needs it. */
import { Handoff, type Receiver } from "@tc/store"
import { Context, Effect, Layer } from "effect"
import { DeliverySettings } from "./DeliverySettings.ts"

export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** Names the receiver from now on; `null`, as in the beginning: there is none, and deliveries are born pending. */
    readonly bind: (receiver: Receiver | null) => void
  }
>()("@tc/server/Mailbox") {
  /** The mailbox, and the `Handoff` that leads to it: provide it to the storage and to the dispatcher alike. */
  static readonly layer: Layer.Layer<Mailbox> = Layer.effectContext(
    Effect.map(DeliverySettings, ({ schedule: [delay_ms = 0] }) => {
      let receiver: Receiver | null = null
      return Context.make(Mailbox, { bind: (next) => void (receiver = next) }).pipe(
        Context.add(Handoff, {
          delay_ms,
          // What has to wait does so in the queue.
          lease: (now) => (delay_ms > 0 ? null : (receiver?.lease(now) ?? null)),
          offer: (jobs) => receiver?.offer(jobs),
          wake: () => receiver?.wake(),
          recall: (endpoint) => receiver?.recall(endpoint),
        }),
      )
    }),
  )
}
