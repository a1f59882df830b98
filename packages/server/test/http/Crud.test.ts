import { setTimeout } from "node:timers/promises"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Asset, Product, Store, Template } from "@tc/domain"
import { Schema } from "effect"
import * as Records from "./Records.ts"
import { start } from "./Service.ts"

const service = await start()
afterAll(service.stop)
const seeded = await Records.seed(service)

const { store_id } = seeded
const plain = [
  { path: "stores", resource: Store.resource, body: Records.store, change: { active: false } },
  { path: "products", resource: Product.resource, body: { name: "Mug", store_id }, change: { customizable: false } },
  { path: "templates", resource: Template.resource, body: { name: "Easter", store_id }, change: { active: false } },
  { path: "assets", resource: Asset.resource, body: Records.asset, change: { category: "Travel" } },
]

for (const { path, resource, body, change } of plain) {
  const at = `/api/v1/${path}`
  const create = async (more: object = {}) => (await service.post(at, { ...body, ...more })).body

  describe(`the records of ${path}`, () => {
    it("creates a record and says where it is", async () => {
      const { status, headers, body: record } = await service.post(at, body)
      assert.strictEqual(status, 201)
      assert.strictEqual(headers.get("location"), `${at}/${record.id}`)
      assert.isTrue(Schema.is(resource.record)(record))
      assert.deepStrictEqual(Object.keys(record), Object.keys(resource.record.fields))
      assert.deepInclude(record, body)
      assert.deepStrictEqual((await service.get(headers.get("location") ?? "")).body, record)
    })

    it("takes an id of the caller's own once, and in either case", async () => {
      const id = crypto.randomUUID()
      assert.strictEqual((await create({ id: id.toUpperCase() })).id, id)
      const again = await service.post(at, { ...body, id })
      assert.deepInclude(again, { status: 409 })
      assert.strictEqual(again.body.code, "id_taken")
    })

    it("lists records in pages, newest first", async () => {
      // Of one millisecond's, the ids decide, and those of callers are whatever they are.
      await setTimeout(2)
      const { id } = await create()
      const { status, body: page } = await service.get(`${at}?per_page=1`)
      assert.strictEqual(status, 200)
      assert.strictEqual(page.data[0].id, id)
      assert.deepInclude(page.meta, { page: 1, per_page: 1, total_pages: page.meta.total })
      assert.isTrue(Schema.is(resource.record)(page.data[0]))
    })

    it("finds records by a part of their name", async () => {
      const { id } = await create({ name: `${path} 50%_off` })
      const { body: page } = await service.get(`${at}?q=${encodeURIComponent("50%_OFF")}`)
      assert.deepStrictEqual(
        page.data.map((record: { id: string }) => record.id),
        [id],
      )
      assert.deepStrictEqual((await service.get(`${at}?q=50_`)).body.data, [])
    })

    it("changes what a PATCH gives and leaves the rest", async () => {
      const record = await create()
      const { status, body: changed } = await service.patch(`${at}/${record.id}`, change)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual({ ...changed, updated_at: null }, { ...record, ...change, updated_at: null })
    })

    it("ignores unknown and read-only fields", async () => {
      const record = await create({ surprise: 1, account_id: Records.nobody, created_at: "then" })
      assert.notProperty(record, "surprise")
      assert.notStrictEqual(record.account_id, Records.nobody)
      const patched = await service.patch(`${at}/${record.id}`, { id: Records.nobody, account_id: 5, surprise: 1 })
      assert.deepStrictEqual(patched.body, record)
    })

    it("deletes a record without a body, and it is gone", async () => {
      const { id } = await create()
      const deleted = await service.delete(`${at}/${id}`)
      assert.deepInclude(deleted, { status: 204, text: "" })
      assert.strictEqual((await service.get(`${at}/${id}`)).status, 404)
      assert.strictEqual((await service.delete(`${at}/${id}`)).status, 404)
    })

    it("answers alike for a malformed id, an unknown one and another account's", async () => {
      const { id } = await create()
      const stranger = await service.keyOf("another")
      for (const answer of [
        await service.get(`${at}/nonsense`),
        await service.get(`${at}/${Records.nobody}`),
        await service.get(`${at}/${id}`, undefined, stranger),
        await service.patch(`${at}/${id}`, change, stranger),
        await service.delete(`${at}/${id}`, undefined, stranger),
      ]) {
        assert.strictEqual(answer.status, 404)
        assert.deepInclude(answer.body, { error: "Not Found", code: "not_found" })
      }
      assert.strictEqual((await service.get(`${at}/${id.toUpperCase()}`)).status, 200)
    })

    it("answers HEAD as GET, without the body", async () => {
      const { id } = await create()
      const { headers, status, text } = await service.send(`${at}/${id}`, {
        method: "HEAD",
        headers: { "x-api-key": service.key },
      })
      assert.deepInclude({ status, text }, { status: 200, text: "" })
      assert.isAbove(Number(headers.get("content-length")), 0)
    })
  })
}

describe("lists", () => {
  it("serve a larger page as 100, and say so", async () =>
    assert.strictEqual((await service.get("/api/v1/stores?per_page=1000")).body.meta.per_page, 100))

  it("refuse pages that are no whole numbers from 1, all parameters at once", async () => {
    for (const query of [
      "page=0&per_page=abc",
      "page=1.5&per_page=0",
      "page=-1&per_page=",
      "page=1&page=2&per_page=1e3",
    ]) {
      const { body, status } = await service.get(`/api/v1/stores?${query}`)
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(
        body.errors.map(({ path }: { path: string }) => path),
        ["/page", "/per_page"],
      )
    }
  })
})

/** Where a request is wrong. */
const paths = async (method: "post" | "patch", path: string, body: unknown) =>
  (await service[method](`/api/v1/${path}`, body)).body.errors.map(({ path }: { readonly path: string }) => path)

describe("references", () => {
  it("must lead to a record of the same account", async () => {
    const stranger = await service.keyOf("a third")
    for (const [as, id] of [
      [service.key, Records.nobody],
      [stranger, store_id],
    ]) {
      const { body, status } = await service.post("/api/v1/products", { name: "Mug", store_id: id }, as)
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(body.errors, [{ path: "/store_id", message: "names no store of this account" }])
    }
  })

  it("that lead nowhere are told of beside all else that is wrong", async () => {
    const nowhere = { store_id: Records.nobody, product_id: Records.nobody }
    assert.deepStrictEqual(await paths("post", "products", { ...nowhere, name: "" }), ["/name", "/store_id"])
    assert.deepStrictEqual(await paths("post", "templates", { ...nowhere, active: 1 }), [
      "/name",
      "/active",
      "/store_id",
    ])
    assert.deepStrictEqual(await paths("post", "designs", { ...nowhere, metadata: 1 }), ["/metadata", "/product_id"])
    assert.deepStrictEqual(await paths("patch", `products/${Records.nobody}`, { ...nowhere, name: "" }), [
      "/name",
      "/store_id",
    ])
    assert.deepStrictEqual(await paths("post", "products", { store_id: 1, name: "" }), ["/name", "/store_id"])
  })

  it("take what is below them with them when they are deleted", async () => {
    const { design_id, product_id, store_id, template_id } = await Records.seed(service)
    assert.strictEqual((await service.delete(`/api/v1/stores/${store_id}`)).status, 204)
    for (const path of [`products/${product_id}`, `templates/${template_id}`, `designs/${design_id}`]) {
      assert.strictEqual((await service.get(`/api/v1/${path}`)).status, 404)
    }
  })
})

describe("PATCH", () => {
  it("clears a field that may be empty, and not one that may not", async () => {
    const { body: store } = await service.post("/api/v1/stores", { ...Records.store, domain: "a.example" })
    assert.isNull((await service.patch(`/api/v1/stores/${store.id}`, { domain: null })).body.domain)
    const { body, status } = await service.patch(`/api/v1/stores/${store.id}`, { name: null })
    assert.strictEqual(status, 422)
    assert.deepStrictEqual(body.errors, [{ path: "/name", message: "must be a string" }])
  })

  it("that changes nothing raises no event", async () => {
    const { body: asset } = await service.post("/api/v1/assets", Records.asset)
    const events = async () => (await service.get("/api/v1/events")).body.meta.total
    const before = await events()
    assert.deepStrictEqual((await service.patch(`/api/v1/assets/${asset.id}`, { name: asset.name })).body, asset)
    assert.strictEqual(await events(), before)
  })
})
