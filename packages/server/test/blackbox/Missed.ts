/** What happens while an endpoint is disabled, and how it is told of it afterwards. */
import { assert, it } from "vitest"
import { connect, unique } from "./Api.ts"
import type { Receiver } from "./Receiver.ts"
import type { Server } from "./Server.ts"
import { begin, until } from "./Until.ts"

export const missed = (server: Server, receiver: Receiver): void => {
  const api = connect(server.url, server.key)
  const happened = begin(async () => {
    const hook = receiver.hook()
    const store = await api.create("stores", { name: unique(), platform: "swell" })
    const { id } = await api.create("webhook_endpoints", { url: hook.url, events: ["template.created"] })
    const at = `webhook_endpoints/${id}`
    const happen = async () => (await api.create("templates", { name: unique(), store_id: store.id })).id
    const heard = await happen()
    const { body: first } = await until("it hears of the first", () => hook.about(heard)[0])
    await until("that is written down", async () => (await api.get(`deliveries/${first.id}`)).status === "succeeded")
    await api.modify(at, { status: "disabled" })
    const ids = [await happen(), await happen(), await happen()]
    const refused = await api.failure("POST", `${at}/recover`, { since: store.created_at })
    await api.modify(at, { status: "active" })
    const { body, headers, status } = await api.request("POST", `${at}/recover`, { since: store.created_at })
    const location = (headers.get("location") ?? "").replace("/api/v1/", "")
    for (const missed of ids) await until("it hears of what it missed", () => hook.about(missed)[0])
    const ended = await until("it is through", async () => {
      const recovery = await api.get(location)
      return recovery.status === "completed" && recovery
    })
    return { at, body, ended, heard, hook, ids, refused, status }
  })

  it("is delivered when the endpoint recovers: each event once, and none that it had", async () => {
    const { heard, hook, ids } = await happened()
    // An attempt may come twice, and is then of one delivery.
    const deliveries = (id: string) => new Set(hook.about(id).map(({ body }) => body.id)).size
    assert.deepStrictEqual([heard, ...ids].map(deliveries), [1, 1, 1, 1])
  })

  it("is counted by the recovery, which the endpoint keeps", async () => {
    const { at, body, ended, ids, status } = await happened()
    assert.deepStrictEqual([status, body.status], [202, "pending"])
    assert.isAtLeast(ended.event_count, ended.delivery_count)
    assert.isAtLeast(ended.delivery_count, ids.length)
    assert.deepStrictEqual((await api.list(`${at}/recoveries`)).data, [ended])
  })

  it("is not to be had while the endpoint is disabled", async () => {
    assert.strictEqual((await happened()).refused, "409 endpoint_not_active")
  })
}
