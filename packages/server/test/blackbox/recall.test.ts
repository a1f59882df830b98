/** What waits for an endpoint that people change or remove meanwhile. */
import { afterAll, assert, it } from "vitest"
import { connect, unique } from "./Api.ts"
import * as Receiver from "./Receiver.ts"
import * as Server from "./Server.ts"
import { until } from "./Until.ts"

/** Attempts under way to one endpoint at most, and events that it is told of. */
const UNDER_WAY = 2
const EVENTS = 30

const receiver = await Receiver.listen()
const server = await Server.start({
  TC_STORE: "memory",
  TC_WEBHOOK_PER_ENDPOINT: String(UNDER_WAY),
  TC_WEBHOOK_TIMEOUT: "20s",
})
afterAll(async () => {
  await server.stop()
  receiver.close()
})
const api = connect(server.url, server.key)

/** An endpoint whose receiver holds its answers back until it is told to give them. */
const held = async (event: string, kind: string) => {
  const replies: Array<() => void> = []
  let isOpen = false
  const hook = receiver.hook((response) => {
    const reply = () => void response.writeHead(204).end()
    return isOpen ? reply() : replies.push(reply)
  })
  const { id } = await api.create("webhook_endpoints", { url: hook.url, events: [event] })
  const create = () => api.create("assets", { name: unique(), asset_type: kind })
  await Promise.all(Array.from({ length: EVENTS }, create))
  await until("as many are under way as may be", () => hook.seen.length === UNDER_WAY)
  const answer = () => {
    isOpen = true
    for (const reply of replies) reply()
  }
  const ended = () =>
    until("all deliveries have ended", async () => {
      const { data } = await api.list("events", { event, per_page: "100" })
      const list = (status: string) => api.list(`webhook_endpoints/${id}/deliveries`, { status })
      const open = await Promise.all([list("pending"), list("delivering")])
      return data.length >= EVENTS && open.every(({ meta }) => meta.total === 0)
    })
  return { id, hook, answer, ended }
}

it("a disabled endpoint gets what was under way, and nothing more", async () => {
  const { answer, ended, hook, id } = await held("asset.created", "clipart")
  await api.modify(`webhook_endpoints/${id}`, { status: "disabled" })
  answer()
  await ended()
  assert.lengthOf(hook.seen, UNDER_WAY)
  const { meta } = await api.list(`webhook_endpoints/${id}/deliveries`, { status: "canceled" })
  assert.strictEqual(meta.total, EVENTS - UNDER_WAY)
})

it("an endpoint that moves gets what waited at its new address", async () => {
  const { answer, ended, hook, id } = await held("font.created", "font")
  const moved = receiver.hook()
  await api.modify(`webhook_endpoints/${id}`, { url: moved.url })
  answer()
  await ended()
  assert.deepStrictEqual([hook.seen.length, moved.seen.length], [UNDER_WAY, EVENTS - UNDER_WAY])
})
