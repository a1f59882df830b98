/**
 * Receives webhooks in Hono, or wherever a request is a Fetch `Request`: give it to `verify` before anything reads its body.
 * Run it with the secret of your endpoint: `WEBHOOK_SECRET=whsec_… node scripts/run.mjs examples/receiver-hono/main.ts`.
 */
import { serve } from "@hono/node-server"
import { type Design, verify } from "@tc/webhooks/verify"
import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"

export const make = (secret: string, print: (design: Design) => void): Hono => {
  /** Delivery ids. In earnest: a table with a unique key, written in one transaction with the work. */
  const done = new Set<string>()

  return new Hono().post("/webhooks", bodyLimit({ maxSize: 16 * 1024 * 1024 }), async (c) => {
    const result = await verify(c.req.raw, secret)
    if (!result.ok) return c.text(result.reason, 401)
    const { event } = result
    if (done.has(event.id)) return c.body(null, 200)
    if (event.event === "design.finalized") print(event.data)
    done.add(event.id)
    return c.body(null, 204)
  })
}

if (process.argv[1] === import.meta.filename) {
  const { WEBHOOK_SECRET } = process.env
  if (WEBHOOK_SECRET === undefined) throw new Error("Set WEBHOOK_SECRET to the secret of your endpoint.")
  const { fetch } = make(WEBHOOK_SECRET, ({ id }) => console.log(`to the printer: design ${id}`))
  serve({ fetch, port: 3001, hostname: "127.0.0.1" })
}
