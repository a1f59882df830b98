/** The lifecycle of a design: from a draft to what is settled. */
import { assert, beforeAll, describe, it } from "vitest"
import { connect, unique } from "./Api.ts"
import { world, type World } from "./Resources.ts"
import type { Server } from "./Server.ts"

export const designs = (server: Server): void => {
  const api = connect(server.url, server.key)
  let its: World
  beforeAll(async () => {
    its = await world(api)
  })
  const create = (more: object = {}) => api.create("designs", { product_id: its.product.id, ...more })
  const finalized = (more: object = {}) => create({ status: "finalized", ...more })
  const namesOf = async (id: string) => (await api.eventsAbout(id)).map(({ event }) => event)

  it("starts as a draft, with a token of its own", async () => {
    const [one, two] = [await create(), await create()]
    assert.strictEqual(one.status, "draft")
    assert.match(one.session_token, /^[A-Za-z0-9_-]{43}$/)
    assert.notStrictEqual(one.session_token, two.session_token)
  })

  it("is finalized with an empty body, of any type and none", async () => {
    for (const headers of [{}, { "content-type": "application/json" }, { "content-type": "text/plain" }]) {
      const { id } = await create()
      const { body, status } = await api.request("POST", `designs/${id}/finalize`, undefined, headers)
      assert.deepStrictEqual([status, body.status, body.cart_locked], [200, "finalized", false])
    }
  })

  it("is finalized with a preview and metadata", async () => {
    const design = await create({ canvas_data: { kept: 1 } })
    const given = { preview_url: "https://a.example/p.png", metadata: { quantity: 2 } }
    const after = await api.act(`designs/${design.id}/finalize`, { ...given, canvas_data: { other: 1 } })
    assert.deepStrictEqual(after, { ...design, ...given, status: "finalized", updated_at: after.updated_at })
    const refusal = await api.wrong("POST", `designs/${design.id}/finalize`, {
      metadata: 1,
    })
    assert.deepStrictEqual(refusal, ["/metadata"])
  })

  it("is finalized once: again changes and tells nothing", async () => {
    const { id } = await create()
    const first = await api.act(`designs/${id}/finalize`)
    assert.deepStrictEqual(await api.act(`designs/${id}/finalize`, { metadata: { late: true } }), first)
    assert.deepStrictEqual(await namesOf(id), ["design.created", "design.finalized"])
  })

  it("is finalized once by 20 calls at the same time", async () => {
    const { id } = await create()
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.act(`designs/${id}/finalize`)))
    for (const answer of answers) assert.deepStrictEqual(answer, answers[0])
    assert.deepStrictEqual(await namesOf(id), ["design.created", "design.finalized"])
  })

  it("can be created as finalized, which tells both, in order", async () => {
    const design = await finalized()
    assert.strictEqual(design.status, "finalized")
    const events = await api.eventsAbout(design.id)
    assert.deepStrictEqual(
      events.map(({ event, data }) => [event, data.status]),
      [
        ["design.created", "draft"],
        ["design.finalized", "finalized"],
      ],
    )
    assert.deepStrictEqual(events[1].data, design)
  })

  it("can be finalized by a PATCH of its status, which tells both, in order", async () => {
    const { id } = await create()
    const after = await api.modify(`designs/${id}`, { status: "finalized", canvas_data: { last: 1 } })
    assert.deepStrictEqual([after.status, after.canvas_data], ["finalized", { last: 1 }])
    assert.deepStrictEqual(await namesOf(id), ["design.created", "design.updated", "design.finalized"])
  })

  it("is told of as updated when a draft is saved, with what was saved", async () => {
    const { id } = await create()
    const after = await api.modify(`designs/${id}`, { canvas_data: { a: [1] } })
    const events = await api.eventsAbout(id)
    assert.deepStrictEqual(
      events.map(({ event }) => event),
      ["design.created", "design.updated"],
    )
    assert.deepStrictEqual(events[1].data, after)
  })

  describe("once finalized", () => {
    it("still takes a preview and metadata", async () => {
      const { id } = await finalized()
      const after = await api.modify(`designs/${id}`, { preview_url: "https://a.example/2.png", metadata: { n: 1 } })
      assert.deepStrictEqual([after.preview_url, after.metadata], ["https://a.example/2.png", { n: 1 }])
      assert.strictEqual((await namesOf(id)).at(-1), "design.updated")
    })

    it("refuses everything else, and changes nothing then", async () => {
      const design = await finalized({ canvas_data: { a: 1 } })
      const other = (await world(api)).product.id
      const changes = [{ canvas_data: {} }, { session_token: unique() }, { status: "draft" }, { product_id: other }]
      for (const change of changes) {
        assert.strictEqual(
          await api.failure("PATCH", `designs/${design.id}`, { ...change, metadata: { n: 2 } }),
          "409 design_finalized",
        )
      }
      assert.deepStrictEqual(await api.get(`designs/${design.id}`), design)
      assert.deepStrictEqual(await namesOf(design.id), ["design.created", "design.finalized"])
    })

    it("takes itself back as it is", async () => {
      const design = await finalized({ canvas_data: { a: 1 } })
      assert.deepStrictEqual(await api.modify(`designs/${design.id}`, design), design)
    })

    it("can be deleted", async () => {
      const { id } = await finalized()
      await api.delete(`designs/${id}`)
      assert.strictEqual((await namesOf(id)).at(-1), "design.deleted")
    })
  })

  it("follows its product to another store", async () => {
    const { product } = await world(api)
    const { id } = await create({ product_id: product.id })
    await api.modify(`products/${product.id}`, { store_id: its.store.id })
    assert.strictEqual((await api.get(`designs/${id}`)).store_id, its.store.id)
  })

  it("takes the store of the product it is moved to", async () => {
    const other = await world(api)
    const { id } = await create()
    const after = await api.modify(`designs/${id}`, { product_id: other.product.id })
    assert.strictEqual(after.store_id, other.store.id)
  })

  it("has a token that no other design of the account has", async () => {
    const session_token = unique()
    await create({ session_token })
    assert.strictEqual(
      await api.failure("POST", "designs", { product_id: its.product.id, session_token }),
      "409 session_token_taken",
    )
    const { id } = await create()
    assert.strictEqual(await api.failure("PATCH", `designs/${id}`, { session_token }), "409 session_token_taken")
  })
}
