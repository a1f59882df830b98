/**
 * The whole service inside a program, without socket or database: requests are function calls, and a `Sender` of the program's
 * own gets the webhooks. Any other layer is replaced in the same way. Run it: `node examples/embedded-in-memory/main.ts`.
 */
import {
  Attempts,
  Bootstrap,
  Dispatcher,
  Handler,
  HttpSettings,
  Mailbox,
  type Request as Webhook,
  SecretBox,
  Sender,
} from "@tc/server"
import { layerMemory } from "@tc/store"
import { Effect, Layer, ManagedRuntime } from "effect"

/** Hands webhooks, signed as for any receiver, to a function. */
const layerSender = (receive: (webhook: Webhook) => void) =>
  Layer.succeed(Sender, {
    send: (webhook) =>
      Effect.sync(() => {
        receive(webhook)
        const time = { started_at: new Date().toISOString(), duration_ms: 0 }
        return { ...time, status_code: 204, error: null, response_excerpt: null, retry_after: null }
      }),
  })

export const start = async (receive: (webhook: Webhook) => void) => {
  const service = ManagedRuntime.make(
    Dispatcher.layer.pipe(
      Layer.provideMerge(Attempts.layer),
      Layer.provide(layerSender(receive)),
      Layer.provideMerge(SecretBox.layer(crypto.getRandomValues(new Uint8Array(SecretBox.KEY_BYTES)))),
      Layer.provideMerge(layerMemory),
      Layer.provideMerge(Mailbox.layer),
      Layer.provideMerge(Layer.succeed(HttpSettings, { log_requests: false, key_use_interval_ms: 5_000 })),
    ),
  )
  const key = await service.runPromise(Bootstrap.run(null))
  const { handler, dispose } = Handler.make(Layer.effectContext(service.contextEffect))
  const post = async (path: string, record: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const init = { method: "POST", headers, body: JSON.stringify(record) }
    return (await handler(new Request(`http://service/api/v1/${path}`, init))).json()
  }
  return { post, stop: () => dispose().then(service.dispose) }
}

if (process.argv[1] === import.meta.filename) {
  const { post, stop } = await start(({ headers }) => console.log(`arrived: ${headers["X-Service-Event"]}`))
  await post("webhook_endpoints", { url: "https://anywhere.example/webhooks", events: "*" })
  await post("stores", { name: "Riverside Prints", platform: "swell" })
  await stop()
}
