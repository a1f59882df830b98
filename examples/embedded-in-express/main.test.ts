import { assert, it } from "@effect/vitest"
import { type Verified, verify } from "@tc/webhooks/verify"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { arrayBuffer } from "node:stream/consumers"
import { afterAll, beforeAll } from "vitest"
import { start } from "./main.ts"

const { app, key, stop } = await start()
const host = createServer(app)
const arrived = Promise.withResolvers<Verified>()
let secret = ""
const receiver = createServer(async (request, response) => {
  arrived.resolve(await verify({ headers: request.headers, arrayBuffer: () => arrayBuffer(request) }, secret))
  response.writeHead(204).end()
})
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(() => Promise.all([host, receiver].map((server) => once(server.listen(0, "127.0.0.1"), "listening"))))
afterAll(async () => {
  host.close()
  await stop()
  receiver.close()
})

const post = async (path: string, record: object = {}) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(urlOf(host) + path, { method: "POST", headers, body: JSON.stringify(record) })
  assert.strictEqual(response.status, 201)
  return (await response.json()) as { readonly id: string; readonly secret: string }
}

it("a design that the application makes is told as a webhook, and shown by the API", async () => {
  const { id: store_id } = await post("/customizer/api/v1/stores", { name: "Riverside Prints", platform: "swell" })
  const { id: product_id } = await post("/customizer/api/v1/products", { name: "T-Shirt", store_id })
  const endpoint = { url: `${urlOf(receiver)}/webhooks`, events: ["design.created"] }
  secret = (await post("/customizer/api/v1/webhook_endpoints", endpoint)).secret

  const design = await post(`/visitors/visitor-1/products/${product_id}`)

  const result = await arrived.promise
  assert.deepStrictEqual(result.ok && [result.event.event, result.event.data], ["design.created", design])
  const headers = { "x-api-key": `${key}` }
  const shown = await fetch(`${urlOf(host)}/customizer/api/v1/designs/${design.id}`, { headers })
  assert.deepStrictEqual(await shown.json(), design)
})
