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

interface Answer {
  readonly id: string
  readonly secret: string
  readonly message: string
}

const post = async (path: string, record: object = {}) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(urlOf(host) + path, { method: "POST", headers, body: JSON.stringify(record) })
  return { status: response.status, body: (await response.json()) as Answer }
}

const make = async (path: string, record: object) => (await post(`/customizer/api/v1/${path}`, record)).body

const product = async () => {
  const { id: store_id } = await make("stores", { name: "Riverside Prints", platform: "swell" })
  return (await make("products", { name: "T-Shirt", store_id })).id
}

it("a design that the application makes is told as a webhook, and shown by the API", async () => {
  const endpoint = { url: `${urlOf(receiver)}/webhooks`, events: ["design.created"] }
  secret = (await make("webhook_endpoints", endpoint)).secret

  const { status, body: design } = await post(`/visitors/visitor-1/products/${await product()}`)

  assert.strictEqual(status, 201)
  const result = await arrived.promise
  assert.deepStrictEqual(result.ok && [result.event.event, result.event.data], ["design.created", design])
  const headers = { "x-api-key": `${key}` }
  const shown = await fetch(`${urlOf(host)}/customizer/api/v1/designs/${design.id}`, { headers })
  assert.deepStrictEqual(await shown.json(), design)
})

it("a visitor can begin two designs of one product", async () => {
  const path = `/visitors/visitor-2/products/${await product()}`
  const [first, second] = [await post(path), await post(path)]
  assert.deepStrictEqual([first.status, second.status], [201, 201])
  assert.notStrictEqual(first.body.id, second.body.id)
})

it.each(["0190a6c2-8f5e-7000-8000-000000000000", "T-Shirt"])(
  "there is no design of %s, which is no product",
  async (id) => {
    const { status, body } = await post(`/visitors/visitor-3/products/${id}`)
    assert.strictEqual(status, 422)
    assert.include(body.message, "/product_id names no product of this account")
  },
)
