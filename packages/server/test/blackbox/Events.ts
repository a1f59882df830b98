/** Every event that a call can cause, from the call to the receiver. */
import { assert, describe, it } from "vitest"
import { connect, sorted, unique, type Json } from "./Api.ts"
import type { Receiver } from "./Receiver.ts"
import { resources, world } from "./Resources.ts"
import type { Server } from "./Server.ts"
import { checkSigned } from "./Signed.ts"
import { begin, until } from "./Until.ts"

/** 22 of the 23 events; the last is `webhook_endpoint.disabled`. */
const caused = [
  ...["store", "product", "print_area", "template", "asset", "font"].flatMap((name) =>
    ["created", "updated", "deleted"].map((verb) => `${name}.${verb}`),
  ),
  "design.created",
  "design.updated",
  "design.finalized",
  "design.deleted",
].toSorted()

export const events = (server: Server, receiver: Receiver): void => {
  const api = connect(server.url, server.key)
  const hook = receiver.hook()

  /** Lets everything happen once, and keeps what the calls answered: the data that each event has to have. */
  const happened = begin(async () => {
    const { secret } = await api.create("webhook_endpoints", { url: hook.url, events: "*" })
    const its = await world(api)
    const told: Array<{ event: string; data: Json }> = []
    const kinds = resources.map((resource) => ({ ...resource, fixed: {} }))
    const assets = kinds.filter(({ name }) => name === "asset")
    const fonts = assets.map((asset) => ({ ...asset, name: "font", fixed: { asset_type: "font" } }))
    for (const { fixed, name, optional, path, required } of [...kinds, ...fonts]) {
      const at = path(its)
      const created = await api.create(at, { ...required(its), ...fixed })
      told.push({ event: `${name}.created`, data: created })
      const changed = await api.modify(`${at}/${created.id}`, { ...optional, session_token: unique() })
      told.push({ event: `${name}.updated`, data: changed })
      const last = name === "design" ? await api.act(`${at}/${created.id}/finalize`) : changed
      if (name === "design") told.push({ event: "design.finalized", data: last })
      await api.delete(`${at}/${created.id}`)
      told.push({ event: `${name}.deleted`, data: last })
    }
    const arrived = await until("all events have arrived", () => {
      const found = told.map(({ event, data }) => hook.about(data.id).find(({ body }) => body.event === event))
      return found.every((seen) => seen !== undefined) ? found : undefined
    })
    return { secret, told, arrived }
  })

  it("arrives, whatever happens", async () => {
    const { told } = await happened()
    assert.deepStrictEqual(sorted(told.map(({ event }) => event)), caused)
  })

  it("is signed, in both schemes, and has the headers and the envelope of the contract", async () => {
    const { arrived, secret } = await happened()
    for (const seen of arrived) assert.isTrue(await checkSigned(seen, secret))
  })

  it("carries the record that the call answered with, key by key", async () => {
    const { arrived, told } = await happened()
    arrived.forEach(({ body }, index) => {
      assert.strictEqual(JSON.stringify(body.data), JSON.stringify(told[index]?.data))
      assert.strictEqual(body.account_id, body.data.account_id)
    })
  })

  it("is listed, newest first, by its name too", async () => {
    const { told } = await happened()
    for (const { event, data } of told.slice(0, 6)) {
      const found = await api.list("events", { event, per_page: "100" })
      assert.isTrue(found.data.every((one) => one.event === event))
      const one = found.data.find((one) => one.data.id === data.id)
      assert.deepStrictEqual(Object.keys(one), ["id", "event", "account_id", "occurred_at", "api_version", "data"])
      assert.deepStrictEqual(one.data, data)
      const times = found.data.map(({ occurred_at }) => occurred_at)
      assert.deepStrictEqual(times, sorted(times).toReversed())
    }
  })

  it("becomes a delivery, with its attempts", async () => {
    const { arrived } = await happened()
    const [{ id, event } = { id: "", event: "" }] = arrived.map(({ body }) => body)
    const delivery = await until("the result is written", async () => {
      const found = await api.get(`deliveries/${id}`)
      return found.status === "succeeded" && found
    })
    const { attempts, created_at: _, updated_at: __, ...rest } = delivery
    const nothing = { due_at: null, lease_until: null }
    const { account_id, event_id, endpoint_id } = delivery
    assert.deepStrictEqual(rest, {
      id,
      account_id,
      event_id,
      endpoint_id,
      event,
      status: "succeeded",
      attempt_count: 1,
      ...nothing,
    })
    const [{ started_at, duration_ms, ...attempt }] = attempts
    assert.deepStrictEqual(attempt, { number: 1, status_code: 204, error: null, response_excerpt: "" })
    assert.isAtMost(Date.parse(started_at), Date.now())
    assert.isAtLeast(duration_ms, 0)
    const { data } = await api.list(`webhook_endpoints/${endpoint_id}/deliveries`, {
      event,
      status: "succeeded",
      per_page: "100",
    })
    const { attempts: ___, ...listed } = delivery
    assert.deepStrictEqual(
      data.find((one) => one.id === id),
      listed,
    )
    assert.isTrue(data.every((one) => one.event === event && one.status === "succeeded"))
  })

  describe("of a kind", () => {
    it("follows the type of an asset: what becomes a font is told of as one", async () => {
      const { id } = await api.create("assets", { name: unique(), asset_type: "clipart" })
      await api.modify(`assets/${id}`, { asset_type: "font" })
      await api.delete(`assets/${id}`)
      const names = (await api.eventsAbout(id)).map(({ event }) => event)
      assert.deepStrictEqual(names, ["asset.created", "font.updated", "font.deleted"])
    })

    it("goes to the endpoints that subscribe to it, and to no other", async () => {
      const [some, disabled, deleted] = [receiver.hook(), receiver.hook(), receiver.hook()]
      await api.create("webhook_endpoints", { url: some.url, events: ["store.updated", "store.deleted"] })
      await api.create("webhook_endpoints", { url: disabled.url, events: "*", status: "disabled" })
      const { id: gone } = await api.create("webhook_endpoints", { url: deleted.url, events: "*" })
      await api.delete(`webhook_endpoints/${gone}`)
      const { id } = await api.create("stores", { name: unique(), platform: "swell" })
      await api.modify(`stores/${id}`, { active: false })
      await api.modify(`stores/${id}`, { active: false })
      await until("the update arrives", () => some.about(id)[0])
      await api.delete(`stores/${id}`)
      await until("the deletion arrives", () => some.about(id)[1])
      assert.deepStrictEqual(
        some.about(id).map(({ body }) => body.event),
        ["store.updated", "store.deleted"],
      )
      assert.isEmpty([...disabled.about(id), ...deleted.about(id)])
    })
  })

  it("keeps a payload as it was sent: key order, numbers, Unicode", async () => {
    await happened()
    const canvas_data = `{"z":1,"a":{"10":1,"9":[1e21,-0.5,"\\u2028 \\u0000 ü 😀 </script>"]},"__proto__":{"x":1},"":null}`
    const { store } = await world(api)
    const text = `{"name":"${unique()}","store_id":"${store.id}","canvas_data":${canvas_data}}`
    const { body } = await api.request("POST", "templates", text)
    const seen = await until("it arrives", () => hook.about(body.id)[0])
    const expected = JSON.stringify(JSON.parse(canvas_data))
    assert.strictEqual(JSON.stringify(body.canvas_data), expected)
    assert.strictEqual(JSON.stringify(seen.body.data.canvas_data), expected)
  })
}
