import { afterAll, assert, describe, it } from "@effect/vitest"
import { Design } from "@tc/domain"
import { Schema } from "effect"
import * as Records from "./Records.ts"
import { start, type Json } from "./Service.ts"

const service = await start()
afterAll(service.stop)
const { product_id, store_id } = await Records.seed(service)
const other = await Records.seed(service)

const create = async (more: object = {}) => (await service.post("/api/v1/designs", { product_id, ...more })).body
const path = ({ id }: Json) => `/api/v1/designs/${id}`
const finalize = (design: Json, body?: unknown) => service.post(`${path(design)}/finalize`, body)

/** What was told of a design, oldest first. */
const told = async ({ id }: Json) => {
  const { body } = await service.get("/api/v1/events?per_page=100")
  return body.data
    .filter(({ data }: Json) => data.id === id)
    .map(({ event }: Json) => event)
    .toReversed()
}

describe("designs", () => {
  it("begin as drafts of their product's store, with a token of their own", async () => {
    const design = await create()
    assert.isTrue(Schema.is(Design.resource.record)(design))
    assert.deepInclude(design, { store_id, status: "draft", cart_locked: false, canvas_data: {}, metadata: {} })
    assert.match(design.session_token, /^[A-Za-z0-9_-]{43}$/)
    assert.deepStrictEqual(await told(design), ["design.created"])
  })

  it("keep a token of the caller's, once in an account", async () => {
    const design = await create({ session_token: "mine" })
    assert.strictEqual(design.session_token, "mine")
    const { body, status } = await service.post("/api/v1/designs", { product_id, session_token: "mine" })
    assert.strictEqual(status, 409)
    assert.strictEqual(body.code, "session_token_taken")
  })

  it("are found by a part of their token", async () => {
    const design = await create({ session_token: "needle-1" })
    const { body } = await service.get("/api/v1/designs?q=NEEDLE")
    assert.deepStrictEqual(body.data, [design])
  })

  it("keep their canvas as it was sent", async () => {
    const canvas_data = { b: [1, { __proto__: null, z: null, a: "é" }], a: { "": 1e-7 } }
    const design = await create({ canvas_data })
    assert.strictEqual(JSON.stringify((await service.get(path(design))).body.canvas_data), JSON.stringify(canvas_data))
  })

  it("take over the store of another product", async () => {
    const design = await create()
    const { body } = await service.patch(path(design), { product_id: other.product_id })
    assert.deepInclude(body, { product_id: other.product_id, store_id: other.store_id })
  })

  it("can be finalized at once, with both events in order", async () => {
    const design = await create({ status: "finalized" })
    assert.strictEqual(design.status, "finalized")
    assert.deepStrictEqual(await told(design), ["design.created", "design.finalized"])
  })

  it("can be finalized by a PATCH, after what else it changes", async () => {
    const design = await create()
    const { body } = await service.patch(path(design), { canvas_data: { a: 1 }, status: "finalized" })
    assert.deepInclude(body, { status: "finalized", canvas_data: { a: 1 } })
    assert.deepStrictEqual(await told(design), ["design.created", "design.updated", "design.finalized"])
  })
})

describe("finalizing", () => {
  it("takes an empty body of any type", async () => {
    for (const headers of [
      {},
      { "content-type": "application/json" },
      { "content-type": "text/plain", "content-length": "0" },
    ]) {
      const design = await create()
      const { body, status } = await service.send(`${path(design)}/finalize`, {
        method: "POST",
        headers: { "x-api-key": service.key, ...headers } as Record<string, string>,
      })
      assert.strictEqual(status, 200)
      assert.strictEqual(body.status, "finalized")
    }
  })

  it("takes a preview and metadata", async () => {
    const given = { preview_url: "https://example.com/p.png", metadata: { quantity: 2 } }
    const { body, status } = await finalize(await create(), given)
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { ...given, status: "finalized" })
  })

  it("refuses other bodies", async () => {
    const design = await create()
    assert.strictEqual((await finalize(design, { preview_url: 5 })).body.errors[0].path, "/preview_url")
    assert.strictEqual((await finalize(design, [])).status, 422)
    assert.strictEqual((await finalize(design, "{")).status, 400)
    assert.strictEqual((await service.get(path(design))).body.status, "draft")
  })

  it("is told once, however often and at the same time it is asked for", async () => {
    const design = await create()
    const answers = await Promise.all(Array.from({ length: 20 }, () => finalize(design)))
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    assert.deepStrictEqual(await told(design), ["design.created", "design.finalized"])
  })

  it("finds no design that there is none of", async () =>
    assert.strictEqual((await finalize({ id: Records.nobody })).status, 404))
})

describe("a finalized design", () => {
  it("still takes a preview and metadata", async () => {
    const design = await create({ status: "finalized" })
    const { body, status } = await service.patch(path(design), { metadata: { quantity: 3 } })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(body.metadata, { quantity: 3 })
  })

  it("refuses any other change with 409", async () => {
    const design = await create({ status: "finalized" })
    for (const change of [{ canvas_data: { a: 1 } }, { status: "draft" }, { session_token: "new" }]) {
      const { body, status } = await service.patch(path(design), change)
      assert.strictEqual(status, 409)
      assert.deepInclude(body, { error: "Conflict", code: "design_finalized" })
    }
  })

  it("can be deleted", async () => assert.strictEqual((await service.delete(path(await create()))).status, 204))
})
