import { createAdaptorServer } from "@hono/node-server"
import { assert, it } from "@effect/vitest"
import { Secret, Signer } from "@tc/webhooks"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { make } from "./main.ts"

const secret = Secret.make()
const printed: Array<string> = []
const server = createAdaptorServer(make(secret, ({ id }) => printed.push(id)))
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => void server.close())

const post = (headers: Readonly<Record<string, string>>, body: string) => {
  const { port } = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body })
}

const finalized = (design: string) => {
  const id = crypto.randomUUID()
  const body = JSON.stringify({ id, event: "design.finalized", data: { id: design } })
  const sign = (seconds = 0) =>
    Signer.make(secret).headers({
      id,
      event: "design.finalized",
      body,
      timestamp: Math.floor(Date.now() / 1000) - seconds,
    })
  return { body, sign }
}

it("the work of a delivery is done once, however often it arrives", async () => {
  const { body, sign } = finalized("design-1")
  assert.strictEqual((await post(sign(), body)).status, 204)
  assert.strictEqual((await post(sign(), body)).status, 200)
  assert.deepStrictEqual(printed, ["design-1"])
})

it("a delivery that was changed on its way is refused", async () => {
  const { body, sign } = finalized("design-2")
  const response = await post(sign(), body.replace("design-2", "design-3"))
  assert.deepStrictEqual([response.status, await response.text()], [401, "signature_mismatch"])
})

it("a delivery that was signed ten minutes ago is refused", async () => {
  const { body, sign } = finalized("design-4")
  const response = await post(sign(600), body)
  assert.deepStrictEqual([response.status, await response.text()], [401, "timestamp_too_old"])
})

it("a request that nobody signed is refused", async () => {
  const response = await post({ "content-type": "application/json" }, finalized("design-5").body)
  assert.deepStrictEqual([response.status, await response.text()], [401, "missing_header"])
})
