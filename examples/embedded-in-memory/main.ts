/**
 * The whole service inside a program, without socket or database: requests are function calls, and a `Sender` of the program's
 * own gets the webhooks. Any other layer is replaced in the same way. Run it:
 * `node scripts/run.mjs examples/embedded-in-memory/main.ts`.
 */
import { Bootstrap, Handler, type Request as Webhook, SecretBox, Sender, Service } from "@tc/server"
import { layerMemory } from "@tc/store"
import { Effect, Layer } from "effect"

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
  const secrets = SecretBox.layer(crypto.getRandomValues(new Uint8Array(SecretBox.KEY_BYTES)))
  const service = Service.layer({
    storage: layerMemory,
    sender: layerSender(receive),
    secrets,
    http: { log_requests: false },
  })
  const { handler, run, dispose } = Handler.make(service)
  const { key } = await run(Bootstrap.run(null))
  const post = async (path: string, record: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const init = { method: "POST", headers, body: JSON.stringify(record) }
    return (await handler(new Request(`http://service/api/v1/${path}`, init))).json()
  }
  return { post, stop: dispose }
}

if (process.argv[1] === import.meta.filename) {
  const { post, stop } = await start(({ headers }) => console.log(`arrived: ${headers["X-Service-Event"]}`))
  await post("webhook_endpoints", { url: "https://anywhere.example/webhooks", events: "*" })
  await post("stores", { name: "Riverside Prints", platform: "swell" })
  await stop()
}
