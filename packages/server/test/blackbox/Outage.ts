/** The database is out of reach for a while, and comes back. */
import { assert, it } from "vitest"
import { connect, unique } from "./Api.ts"
import type { Proxy } from "./Proxy.ts"
import type { Receiver } from "./Receiver.ts"
import type { Server } from "./Server.ts"
import { begin, until } from "./Until.ts"

/** `proxy` is the server's only way to its database. Nothing else can be looked at meanwhile. */
export const outage = (server: Server, proxy: Proxy, receiver: Receiver): void => {
  const api = connect(server.url, server.key)
  const run = async () => {
    const replies: Array<() => void> = []
    const hook = receiver.hook((response) => void replies.push(() => response.writeHead(200).end()))
    await api.create("webhook_endpoints", { url: hook.url, events: ["store.deleted"] })
    const store = await api.create("stores", { name: unique(), platform: "swell" })
    await api.delete(`stores/${store.id}`)
    const { body } = await until("an attempt is under way", () => hook.about(store.id)[0])
    proxy.cut()
    const id = crypto.randomUUID()
    const calls = [
      await api.request("GET", "stores"),
      await api.request("POST", "assets", { id, name: unique(), asset_type: "clipart" }),
      await api.request("DELETE", `stores/${store.id}`),
    ]
    const health = [await api.request("GET", "/health/live"), await api.request("GET", "/health/ready")]
    for (const reply of replies) reply()
    proxy.mend()
    await until("the server is ready again", async () => (await api.request("GET", "/health/ready")).status === 200)
    const delivery = await until("the result of the attempt is written", async () => {
      const found = await api.get(`deliveries/${body.id}`)
      return found.status === "succeeded" && found
    })
    const created = await api.request("GET", `assets/${id}`)
    return { calls, health, delivery, created, hook }
  }
  let happened: ReturnType<typeof begin<Awaited<ReturnType<typeof run>>>> | undefined
  const result = () => (happened ??= begin(run))()

  it("503: calls are answered, and told when to come again", async () => {
    const { calls } = await result()
    for (const { body, headers, status } of calls) {
      assert.deepStrictEqual([status, body.code], [503, "service_unavailable"])
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
    }
  })

  it("the server lives, and is not ready", async () => {
    const { health } = await result()
    assert.deepStrictEqual(
      health.map(({ status }) => status),
      [200, 503],
    )
  })

  it("what was refused was not done", async () => {
    const { created } = await result()
    assert.strictEqual(created.status, 404)
  })

  it("the result of an attempt is written later, and the attempt not repeated", async () => {
    const { delivery, hook } = await result()
    assert.deepStrictEqual([delivery.attempt_count, hook.seen.length], [1, 1])
  })
}
