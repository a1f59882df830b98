import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Asset, Design, PrintArea, Product, Resource, Sample, Store, Template, WebhookEndpoint } from "../src/index.ts"
import { wrong } from "./Wrong.ts"

const id = "019a3f5e-7c10-7d42-9b6e-5f21c08a4eff"
const decoded = (schema: Schema.Codec<unknown, unknown>, input: unknown) => Schema.decodeUnknownSync(schema)(input)

/** Of each resource: the least a create can say, what the rest of it then is, and what only the service sets. */
const resources = [
  {
    resource: Store.resource,
    least: { name: "a", platform: "swell" },
    defaults: { domain: null, active: true, store_url: null, external_store_id: null },
    readOnly: { connection_status: "connected" },
  },
  {
    resource: Product.resource,
    least: { name: "a", store_id: id },
    defaults: { description: null, customizable: true, base_image_url: null, variants: [] },
    readOnly: {},
  },
  {
    resource: PrintArea.resource,
    least: { name: "a", width_px: 1, height_px: 1 },
    defaults: { bounds: null, background_url: null, position: null },
    readOnly: { product_id: id },
  },
  {
    resource: Template.resource,
    least: { name: "a", store_id: id },
    defaults: { description: null, active: true, canvas_data: {}, thumbnail_url: null },
    readOnly: {},
  },
  {
    resource: Design.resource,
    least: { product_id: id },
    defaults: { session_token: null, status: "draft", canvas_data: {}, preview_url: null, metadata: {} },
    readOnly: { store_id: id, cart_locked: true },
  },
  {
    resource: Asset.resource,
    least: { name: "a", asset_type: "clipart" },
    defaults: { category: null, metadata: {} },
    readOnly: { file_url: "https://a.example" },
  },
  {
    resource: WebhookEndpoint.resource,
    least: { url: "https://a.example", events: ["*"] },
    defaults: { description: null, max_per_second: null, ordered: false, disable_on_gone: false, status: "active" },
    readOnly: { consecutive_failures: 3, disabled_at: "2026-01-01T00:00:00.000Z", secret: "whsec_a" },
  },
] as const

/** What may be left out at creation and cannot be cleared later. */
const kept = ["session_token", "position", "status"]

for (const { resource, least, defaults, readOnly } of resources) {
  const { name, create, patch } = resource
  const settable = { ...least, ...defaults }

  describe(`creating a ${name}`, () => {
    it("takes the least and fills in the rest", () => assert.deepStrictEqual(decoded(create, least), settable))
    it("takes null for whatever may be left out", () => {
      const nulls = Object.fromEntries(["id", ...Object.keys(defaults)].map((field) => [field, null]))
      assert.deepStrictEqual(decoded(create, { ...least, ...nulls }), settable)
    })
    it("takes an id, in either case", () =>
      assert.deepStrictEqual(decoded(create, { id: id.toUpperCase(), ...least }), { id, ...settable }))
    it("ignores fields that only the service sets, and unknown ones", () => {
      const common = { account_id: id, created_at: "yesterday", updated_at: 3 }
      assert.deepStrictEqual(decoded(create, { ...least, ...common, ...readOnly, colour: "red" }), settable)
    })
    it("reports every missing field at once", () =>
      assert.sameMembers(
        [...wrong(create, {})],
        Object.keys(least).map((field) => `/${field}`),
      ))
    it("refuses null for what must be given", () =>
      assert.sameMembers(
        [...wrong(create, Object.fromEntries(Object.keys(least).map((field) => [field, null])))],
        Object.keys(least).map((field) => `/${field}`),
      ))
    it("reports every wrong field at once", () => {
      const fields = ["id", ...Object.keys(settable)]
      const symbols = Object.fromEntries(fields.map((field) => [field, 0.5]))
      assert.sameMembers(
        [...wrong(create, symbols)],
        fields.map((field) => `/${field}`),
      )
    })
    for (const body of [null, [], "a", 1])
      it(`refuses ${JSON.stringify(body)} for the whole`, () => assert.deepStrictEqual(wrong(create, body), [""]))
  })

  describe(`a PATCH of a ${name}`, () => {
    it("may be empty, and fills nothing in", () => assert.deepStrictEqual(decoded(patch, {}), {}))
    it("ignores the id, other fields that only the service sets, and unknown ones", () =>
      assert.deepStrictEqual(
        decoded(patch, { id: "a", account_id: id, created_at: 3, ...readOnly, colour: "red" }),
        {},
      ))
    it("refuses null for what must be given", () =>
      assert.sameMembers(
        [...wrong(patch, Object.fromEntries(Object.keys(least).map((field) => [field, null])))],
        Object.keys(least).map((field) => `/${field}`),
      ))
    for (const [field, value] of Object.entries(defaults).filter(([field]) => !kept.includes(field)))
      it(`takes null for ${field} as ${JSON.stringify(value)}`, () =>
        assert.deepStrictEqual(decoded(patch, { [field]: null }), { [field]: value }))
    it("refuses null for what the service finds or decides when nobody says it", () => {
      const fields = Object.keys(defaults).filter((field) => kept.includes(field))
      const nulls = Object.fromEntries(fields.map((field) => [field, null]))
      assert.sameMembers(
        [...wrong(patch, nulls)],
        fields.map((field) => `/${field}`),
      )
    })
  })
}

describe("a wrong field inside another", () => {
  it("is reported where it is", () =>
    assert.sameMembers(
      [...wrong(PrintArea.resource.patch, { name: "", bounds: { x: "0", y: 0, width: -1 } })],
      ["/name", "/bounds/x", "/bounds/width", "/bounds/height"],
    ))
})

describe("beginning a row", () => {
  const by = { id, account_id: Sample.store.account_id, now: "2026-11-21T12:00:00.000Z" }
  const times = { created_at: by.now, updated_at: by.now }

  it("adds the id, the account, the times and what a new record starts with", () =>
    assert.deepStrictEqual<unknown>(
      Resource.begin(Store.resource, Schema.decodeSync(Store.resource.create)({ name: "a", platform: "swell" }), by),
      {
        id,
        name: "a",
        platform: "swell",
        domain: null,
        active: true,
        store_url: null,
        external_store_id: null,
        connection_status: "pending",
        account_id: by.account_id,
        ...times,
      },
    ))
  it("adds what only the storage knows", () => {
    const input = Schema.decodeUnknownSync(Design.resource.create)({ product_id: Sample.product.id })
    const found = { store_id: Sample.store.id }
    const row = Resource.begin(Design.resource, { ...input, session_token: "found" }, { ...by, found })
    assert.deepStrictEqual([row.store_id, row.session_token, row.cart_locked], [Sample.store.id, "found", false])
  })
  it("gives a row that its schema takes, its columns in order", () => {
    const input = Schema.decodeUnknownSync(PrintArea.resource.create)({ name: "a", width_px: 1, height_px: 2 })
    const row = Resource.begin(
      PrintArea.resource,
      { ...input, product_id: Sample.product.id },
      { ...by, found: { position: 4 } },
    )
    assert.isTrue(Schema.is(PrintArea.resource.row)(row))
    assert.deepStrictEqual(Object.keys(row), [...PrintArea.resource.columns])
  })
})

describe("showing a row", () => {
  const row = Schema.decodeSync(WebhookEndpoint.resource.row)({ ...Sample.webhook_endpoint, secret: "encrypted" })
  it("leaves out what is hidden", () =>
    assert.deepStrictEqual<unknown>(Resource.show(WebhookEndpoint.resource, row), Sample.webhook_endpoint))
  it("puts the keys in their order", () =>
    assert.deepStrictEqual(
      Object.keys(
        Resource.show(Store.resource, Object.fromEntries(Object.entries(Sample.store).toReversed()) as never),
      ),
      Object.keys(Sample.store),
    ))
})

describe("patching a row", () => {
  const now = "2026-11-21T12:00:00.000Z"
  const patched = (changes: Partial<Product.Product>) =>
    Result.getOrThrow(Resource.patch(Product.resource, changes)(Sample.product, now))

  it("with nothing gives the same row and no event", () => {
    assert.strictEqual(patched({}).row, Sample.product)
    assert.deepStrictEqual(patched({}).events, [])
  })
  it("with what is there already gives the same row and no event", () => {
    const { name, description, variants } = Sample.product
    const same = patched({ name, description, variants: JSON.parse(JSON.stringify(variants)) })
    assert.strictEqual(same.row, Sample.product)
    assert.deepStrictEqual(same.events, [])
  })
  it("takes the changes and the time over and leaves the rest", () =>
    assert.deepStrictEqual(patched({ description: null }).row, {
      ...Sample.product,
      description: null,
      updated_at: now,
    }))
  it("replaces arrays whole", () => assert.deepStrictEqual(patched({ variants: [1] }).row.variants, [1]))
  it("raises the update with the record as it becomes", () =>
    assert.deepStrictEqual(patched({ name: "b" }).events, [
      { event: "product.updated", data: { ...Sample.product, name: "b", updated_at: now } },
    ]))
  it("raises the font's event for a font and the asset's for others", () => {
    const background = { ...Sample.asset, asset_type: "background" as const }
    assert.deepStrictEqual(
      [Sample.font, Sample.asset, background].flatMap((row) => Resource.raise(Asset.resource, "deleted", row)),
      [
        { event: "font.deleted", data: Sample.font },
        { event: "asset.deleted", data: Sample.asset },
        { event: "asset.deleted", data: background },
      ],
    )
  })
  it("raises nothing for an endpoint, of which the catalogue has no such event", () => {
    const row = Schema.decodeSync(WebhookEndpoint.resource.row)({ ...Sample.webhook_endpoint, secret: "encrypted" })
    assert.deepStrictEqual(Resource.raise(WebhookEndpoint.resource, "created", row), [])
  })
})
