/** Ids that callers choose, so that a create can be repeated safely. */
import { assert, beforeAll, describe, it } from "vitest"
import { connect, unique } from "./Api.ts"
import { resources, world, type World } from "./Resources.ts"
import type { Server } from "./Server.ts"

export const ids = (server: Server): void => {
  const api = connect(server.url, server.key)
  let its: World
  beforeAll(async () => {
    its = await world(api)
  })

  for (const { name, path, required } of resources) {
    describe(`of a ${name}`, () => {
      it("are kept, in lower case", async () => {
        const id = crypto.randomUUID()
        const record = await api.create(path(its), { ...required(its), id: id.toUpperCase() })
        assert.strictEqual(record.id, id)
      })

      it("are taken once: a repeated create is refused and changes nothing", async () => {
        const sent = { ...required(its), id: crypto.randomUUID() }
        const record = await api.create(path(its), sent)
        assert.strictEqual(await api.failure("POST", path(its), sent), "409 id_taken")
        assert.strictEqual(await api.failure("POST", path(its), { ...required(its), id: sent.id }), "409 id_taken")
        assert.deepStrictEqual(await api.get(`${path(its)}/${sent.id}`), record)
      })

      it("are taken once by 20 creates at the same time", async () => {
        const sent = { ...required(its), id: crypto.randomUUID() }
        const answers = await Promise.all(Array.from({ length: 20 }, () => api.request("POST", path(its), sent)))
        const refused = answers.filter(({ status, body }) => status === 409 && body.code === "id_taken")
        assert.strictEqual(refused.length, 19)
        assert.strictEqual((await api.eventsAbout(sent.id)).length, 1)
      })

      it("must be UUIDs", async () => {
        for (const id of ["1", "", 1, crypto.randomUUID().replaceAll("-", ""), `{${crypto.randomUUID()}}`]) {
          const refusal = await api.wrong("POST", path(its), { ...required(its), id })
          assert.deepStrictEqual(refusal, ["/id"])
        }
      })
    })
  }

  it("are free again after a deletion", async () => {
    const sent = { id: crypto.randomUUID(), name: unique(), platform: "swell" }
    await api.create("stores", sent)
    await api.delete(`stores/${sent.id}`)
    assert.strictEqual((await api.create("stores", sent)).id, sent.id)
  })

  it("may be those of a record of another kind", async () => {
    const asset = await api.create("assets", { id: its.store.id, name: unique(), asset_type: "font" })
    assert.strictEqual(asset.id, its.store.id)
  })

  it("and a session token is taken once by 20 designs at the same time", async () => {
    const sent = { product_id: its.product.id, session_token: unique() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.request("POST", "designs", sent)))
    const statuses = answers.map(({ status }) => status).filter((status) => status !== 409)
    assert.deepStrictEqual(statuses, [201])
  })
}
