import { assert, it } from "@effect/vitest"
import type { Request as Webhook } from "@tc/server"
import { verify } from "@tc/webhooks/verify"
import { start } from "./main.ts"

it("what a request changes arrives as a signed webhook", async () => {
  const arrived: Array<Webhook> = []
  const { post, stop } = await start((webhook) => arrived.push(webhook))
  const endpoint = await post("webhook_endpoints", { url: "https://anywhere.example/webhooks", events: "*" })
  const { secret } = endpoint as { readonly secret: string }
  const store = await post("stores", { name: "Riverside Prints", platform: "swell" })
  await stop()
  const verified = await Promise.all(arrived.map((webhook) => verify(webhook, secret)))
  assert.deepStrictEqual(
    verified.map((result) => result.ok && [result.event.event, result.event.data]),
    [["store.created", store]],
  )
})
