/** What an operator can set, as a receiver sees it. */
import { afterAll, assert, it } from "vitest"
import { connect, unique } from "./Api.ts"
import * as Receiver from "./Receiver.ts"
import * as Server from "./Server.ts"
import { begin, until } from "./Until.ts"

const receiver = await Receiver.listen()
const server = await Server.start({
  TC_STORE: "memory",
  TC_BRAND: "Acme",
  TC_WEBHOOK_SCHEDULE: "100ms,0s",
  TC_WEBHOOK_DISABLE_AFTER: "1",
})
afterAll(async () => {
  await server.stop()
  receiver.close()
})
const api = connect(server.url, server.key)

it("TC_BRAND names the headers, the sender and the document", async () => {
  const hook = receiver.hook()
  await api.create("webhook_endpoints", { url: hook.url, events: ["store.created"] })
  const { id } = await api.create("stores", { name: unique(), platform: "swell" })
  const { headers } = await until("it arrives", () => hook.about(id)[0])
  assert.strictEqual(headers["user-agent"], "Acme-Webhooks/1.0")
  assert.match(String(headers["x-acme-signature"]), /^sha256=[0-9a-f]{64}$/)
  assert.isEmpty(Object.keys(headers).filter((name) => name.includes("service")))
  assert.include((await api.request("GET", "/openapi.json")).text, "X-Acme-Signature")
})

/** An endpoint that fails, and an event for it. */
const failed = begin(async () => {
  const hook = receiver.hook(Receiver.status(500))
  const { id } = await api.create("webhook_endpoints", { url: hook.url, events: ["asset.created"] })
  const { created_at } = await api.create("assets", { name: unique(), asset_type: "clipart" })
  await until("it is disabled", async () => (await api.get(`webhook_endpoints/${id}`)).status === "auto-disabled")
  return { attempts: hook.seen.length, waited: (hook.seen[0]?.at ?? 0) - Date.parse(created_at) }
})

it("TC_WEBHOOK_SCHEDULE says how many attempts there are, TC_WEBHOOK_DISABLE_AFTER how often that is enough", async () => {
  assert.strictEqual((await failed()).attempts, 2)
})

it("TC_WEBHOOK_SCHEDULE says how long the first attempt waits, too", async () => {
  assert.isAtLeast((await failed()).waited, 95)
})
