import { assert, it } from "@effect/vitest"
import { Secret, Signer } from "@tc/webhooks"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { make } from "./main.ts"

const secret = Secret.make()
const printed: Array<string> = []
const server = make(secret, ({ id }) => {
  if (id === "jam") throw new Error("paper jam")
  printed.push(id)
})
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => void server.close())

const deliver = async (
  event: string,
  data: { readonly id: string },
  by = Signer.make(secret),
  id = crypto.randomUUID(),
) => {
  const body = JSON.stringify({ id, event, data })
  const headers = by.headers({ id, event, body, timestamp: Math.floor(Date.now() / 1000) })
  const { port } = server.address() as AddressInfo
  return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body })).status
}

it("the work of a delivery is done once, however often it arrives", async () => {
  const id = crypto.randomUUID()
  assert.strictEqual(await deliver("design.finalized", { id: "design-1" }, undefined, id), 204)
  assert.strictEqual(await deliver("design.finalized", { id: "design-1" }, undefined, id), 200)
  assert.deepStrictEqual(
    printed.filter((design) => design === "design-1"),
    ["design-1"],
  )
})

it("an event of another name is acknowledged and nothing is done", async () => {
  assert.strictEqual(await deliver("design.created", { id: "design-2" }), 204)
  assert.strictEqual(await deliver("design.folded", { id: "design-2" }), 204)
  assert.notInclude(printed, "design-2")
})

it("a delivery signed with another secret is refused", async () => {
  assert.strictEqual(await deliver("design.finalized", { id: "design-3" }, Signer.make(Secret.make())), 401)
  assert.notInclude(printed, "design-3")
})

it("work that fails is asked for again", async () => {
  const id = crypto.randomUUID()
  assert.strictEqual(await deliver("design.finalized", { id: "jam" }, undefined, id), 500)
  assert.strictEqual(await deliver("design.finalized", { id: "jam" }, undefined, id), 500)
})

/** Sends a signed delivery of a size, in two chunks where it does not say how long it is. */
const deliverLarge = async (bytes: number, length?: number) => {
  const id = crypto.randomUUID()
  const start = `{"id":"${id}","event":"design.finalized","data":{"id":"`
  const body = `${start}${"a".repeat(bytes - start.length - 3)}"}}`
  const signed = { id, event: "design.finalized", body, timestamp: Math.floor(Date.now() / 1000) }
  const headers = { ...Signer.make(secret).headers(signed), ...(length && { "content-length": `${length}` }) }
  const { port } = server.address() as AddressInfo
  const to = request({ host: "127.0.0.1", port, method: "POST", headers })
  to.write(start)
  to.end(body.slice(start.length))
  const [{ statusCode }] = (await once(to, "response")) as [IncomingMessage]
  to.destroy()
  return statusCode
}

const MiB = 1024 * 1024

it("a delivery that does not say how long it is is taken, up to 16 MiB", async () => {
  assert.strictEqual(await deliverLarge(100), 204)
  assert.strictEqual(await deliverLarge(16 * MiB), 204)
})

it("what is larger than any delivery is refused, whether it says so or not", async () => {
  assert.strictEqual(await deliverLarge(16 * MiB + 1), 413)
  assert.strictEqual(await deliverLarge(16 * MiB + 1, 16 * MiB + 1), 413)
})
