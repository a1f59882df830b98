/** What a deletion takes with it, and how that is told. */
import { assert, it } from "vitest"
import { connect, sorted, unique } from "./Api.ts"
import type { Receiver } from "./Receiver.ts"
import { world } from "./Resources.ts"
import type { Server } from "./Server.ts"
import { begin, until } from "./Until.ts"

export const cascade = (server: Server, receiver: Receiver): void => {
  const api = connect(server.url, server.key)
  const hook = receiver.hook()

  /** A store with two products, an area and two designs in each, and a template; deleted, from the top. */
  const deleted = begin(async () => {
    const names = ["store", "product", "print_area", "design", "template"].map((name) => `${name}.deleted`)
    await api.create("webhook_endpoints", { url: hook.url, events: names })
    const { store, product } = await world(api)
    const other = await api.create("products", { name: unique(), store_id: store.id })
    const children: Array<{ readonly path: string; readonly id: string; readonly parent: string }> = []
    const add = async (path: string, fields: object, parent: string) => {
      const { id } = await api.create(path, fields)
      children.push({ path: `${path}/${id}`, id, parent })
    }
    for (const { id } of [product, other]) {
      await add(`products/${id}/print_areas`, { name: unique(), width_px: 1, height_px: 1 }, id)
      await add("designs", { product_id: id }, id)
      await add("designs", { product_id: id, status: "finalized" }, id)
      children.push({ path: `products/${id}`, id, parent: store.id })
    }
    await add("templates", { name: unique(), store_id: store.id }, store.id)
    const beside = await world(api)
    await api.delete(`stores/${store.id}`)
    const ids = [store.id, ...children.map(({ id }) => id)]
    const told = (await api.eventsAbout(...ids)).filter(({ event }) => event.endsWith(".deleted"))
    return { store, children, ids, told, beside }
  })

  it("removes all that belongs to a store, and nothing else", async () => {
    const { beside, children } = await deleted()
    for (const { path } of children) assert.strictEqual(await api.failure("GET", path), "404 not_found")
    await api.get(`products/${beside.product.id}`)
  })

  it("is told of once for each record", async () => {
    const { ids, told } = await deleted()
    assert.deepStrictEqual(sorted(told.map(({ data }) => data.id)), sorted(ids))
  })

  it("is told of children before their parents", async () => {
    const { children, told } = await deleted()
    const place = (id: string) => told.findIndex(({ data }) => data.id === id)
    for (const { id, parent } of children) assert.isBelow(place(id), place(parent))
  })

  it("reaches the receiver, once for each record", async () => {
    const { ids } = await deleted()
    await until("all have arrived", () => ids.every((id) => hook.about(id).length > 0))
    for (const id of ids) assert.strictEqual(new Set(hook.about(id).map(({ body }) => body.id)).size, 1)
  })
}
