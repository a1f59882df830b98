/** Accounts do not see each other, and cannot touch each other. */
import { assert, beforeAll, describe, it } from "vitest"
import { type Api, connect, unique } from "./Api.ts"
import type { Receiver } from "./Receiver.ts"
import { resources, world, type World } from "./Resources.ts"
import type { Server } from "./Server.ts"
import { until } from "./Until.ts"

/** `stranger` is another account on the same server. */
export const isolation = (server: Server, stranger: Api, receiver: Receiver): void => {
  const api = connect(server.url, server.key)
  let mine: World
  let theirs: World
  beforeAll(async () => {
    mine = await world(api)
    theirs = await world(stranger)
  })

  for (const { name, path, required } of resources) {
    it(`a ${name} of another account is not found, listed, changed or deleted`, async () => {
      const q = unique()
      const searched = name === "design" ? "session_token" : "name"
      const record = await api.create(path(mine), { ...required(mine), [searched]: q })
      const at = `${path(mine)}/${record.id}`
      assert.strictEqual(await stranger.failure("GET", at), "404 not_found")
      assert.strictEqual(
        await stranger.failure("PATCH", at, { name: "theirs", metadata: { theirs: 1 } }),
        "404 not_found",
      )
      assert.strictEqual(await stranger.failure("DELETE", at), "404 not_found")
      if (name === "design") assert.strictEqual(await stranger.failure("POST", `${at}/finalize`), "404 not_found")
      if (name !== "print_area") assert.strictEqual((await stranger.list(path(mine), { q })).meta.total, 0)
      assert.deepStrictEqual(await api.get(at), record)
    })
  }

  it("a product of another account has no print areas to list or to add to", async () => {
    const at = `products/${mine.product.id}/print_areas`
    assert.strictEqual(await stranger.failure("GET", at), "404 not_found")
    assert.strictEqual(
      await stranger.failure("POST", at, { name: unique(), width_px: 1, height_px: 1 }),
      "404 not_found",
    )
    assert.strictEqual((await api.list(at)).meta.total, (await api.list(at)).data.length)
  })

  it("a record of another account cannot be referred to", async () => {
    assert.deepStrictEqual(await stranger.wrong("POST", "products", { name: unique(), store_id: mine.store.id }), [
      "/store_id",
    ])
    assert.deepStrictEqual(await stranger.wrong("POST", "templates", { name: unique(), store_id: mine.store.id }), [
      "/store_id",
    ])
    assert.deepStrictEqual(await stranger.wrong("POST", "designs", { product_id: mine.product.id }), ["/product_id"])
  })

  it("an id and a token are taken in their own account only", async () => {
    const sent = { id: crypto.randomUUID(), session_token: unique() }
    const design = await api.create("designs", { ...sent, product_id: mine.product.id })
    await stranger.create("designs", { ...sent, product_id: theirs.product.id })
    await stranger.delete(`designs/${sent.id}`)
    assert.deepStrictEqual(await api.get(`designs/${sent.id}`), design)
  })

  describe("webhooks", () => {
    it("go to endpoints of the event's account only", async () => {
      const [my, their] = [receiver.hook(), receiver.hook()]
      const subscription = { events: ["product.updated"] }
      await api.create("webhook_endpoints", { url: my.url, ...subscription })
      await stranger.create("webhook_endpoints", { url: their.url, ...subscription })
      await api.modify(`products/${mine.product.id}`, { description: "mine" })
      await stranger.modify(`products/${theirs.product.id}`, { description: "theirs" })
      await until("mine arrives", () => my.about(mine.product.id)[0])
      await until("theirs arrives", () => their.about(theirs.product.id)[0])
      assert.isEmpty(my.about(theirs.product.id))
      assert.isEmpty(their.about(mine.product.id))
    })

    it("their endpoints, deliveries and events are not found or listed", async () => {
      const hook = receiver.hook()
      const { id } = await api.create("webhook_endpoints", { url: hook.url, events: ["template.created"] })
      const template = await api.create("templates", { name: unique(), store_id: mine.store.id })
      const { body } = await until("it arrives", () => hook.about(template.id)[0])
      for (const path of [`webhook_endpoints/${id}`, `webhook_endpoints/${id}/deliveries`, `deliveries/${body.id}`]) {
        assert.strictEqual(await stranger.failure("GET", path), "404 not_found")
      }
      for (const path of [`webhook_endpoints/${id}/test`, `deliveries/${body.id}/retry`]) {
        assert.strictEqual(await stranger.failure("POST", path), "404 not_found")
      }
      assert.strictEqual(
        await stranger.failure("PATCH", `webhook_endpoints/${id}`, { status: "disabled" }),
        "404 not_found",
      )
      assert.strictEqual(await stranger.failure("DELETE", `webhook_endpoints/${id}`), "404 not_found")
      assert.isEmpty(await stranger.eventsAbout(template.id))
      const listed = await stranger.list("webhook_endpoints", { per_page: "100" })
      assert.isFalse(listed.data.some((endpoint) => endpoint.id === id))
    })
  })
}
