import { afterAll, assert, describe, it } from "@effect/vitest"
import { Client } from "@tc/api"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Records from "./Records.ts"
import { start } from "./Service.ts"

const service = await start()
afterAll(service.stop)

/** The Fetch API, straight into the service. */
const fetch = Layer.succeed(FetchHttpClient.Fetch, (input, init) => service.handler(new Request(input, init)))
const http = FetchHttpClient.layer.pipe(Layer.provide(fetch))
const clientWith = (api_key: string) =>
  Client.make({ base_url: "http://localhost", api_key }).pipe(Effect.provide(http))
const client = await Effect.runPromise(clientWith(service.key))

const store = { name: "Riverside Prints", platform: "swell" }
const newProduct = Effect.gen(function* () {
  const { id: store_id } = yield* client.stores.create({ payload: store })
  return yield* client.products.create({ payload: { name: "Mug", store_id } })
})
const newDesign = Effect.gen(function* () {
  const { id: product_id } = yield* newProduct
  return yield* client.designs.create({ payload: { product_id } })
})
const newEndpoint = client.webhook_endpoints.create({ payload: { url: "https://example.com/hooks", events: "*" } })

describe("the typed client", () => {
  it.effect("creates with what is required, and the service fills in the rest", () =>
    Effect.gen(function* () {
      const made = yield* client.stores.create({ payload: store })
      assert.deepInclude(made, { ...store, domain: null, active: true })
      const { canvas_data, status } = yield* newDesign
      assert.deepStrictEqual({ canvas_data, status }, { canvas_data: {}, status: "draft" })
    }),
  )

  it.effect("creates with null for what may be left out", () =>
    Effect.gen(function* () {
      const { id: product_id } = yield* newProduct
      const design = yield* client.designs.create({
        payload: { id: null, product_id, canvas_data: null, status: null },
      })
      assert.deepInclude(design, { canvas_data: {}, status: "draft" })
    }),
  )

  it.effect("takes an id as a text, in either case", () =>
    Effect.gen(function* () {
      const id: string = crypto.randomUUID()
      yield* client.stores.create({ payload: { ...store, id: id.toUpperCase() } })
      const got = yield* client.stores.get({ params: { id: id.toUpperCase() } })
      assert.deepInclude<{ id: string }>(got, { id })
    }),
  )

  it.effect("changes what is given, and null clears it", () =>
    Effect.gen(function* () {
      const { id } = yield* client.stores.create({ payload: { ...store, domain: "a.example" } })
      const params = { id }
      assert.isFalse((yield* client.stores.modify({ params, payload: { active: false } })).active)
      assert.isNull((yield* client.stores.modify({ params, payload: { domain: null } })).domain)
      const { id: design } = yield* newDesign
      const payload = { canvas_data: null, metadata: { quantity: 2 } }
      const changed = yield* client.designs.modify({ params: { id: design }, payload })
      assert.deepInclude(changed, { canvas_data: {}, metadata: { quantity: 2 } })
    }),
  )

  it.effect("lists without a query, and with any part of one", () =>
    Effect.gen(function* () {
      yield* newDesign
      for (const query of [undefined, {}, { page: 1 }, { per_page: 20 }, { q: "riverside" }]) {
        const { data, meta } = yield* query === undefined ? client.stores.list() : client.stores.list({ query })
        assert.strictEqual(data.length, meta.total)
        assert.deepInclude(meta, { page: 1, per_page: 20 })
      }
      assert.strictEqual((yield* client.stores.list({ query: { per_page: 1000 } })).meta.per_page, 100)
      assert.deepStrictEqual((yield* client.products.list({ query: { q: "no such mug" } })).data, [])
    }),
  )

  it.effect("finalizes with a body and without", () =>
    Effect.gen(function* () {
      for (const body of [{}, { payload: { preview_url: "https://a.example/p.png" } }, { payload: {} }]) {
        const { id } = yield* newDesign
        assert.strictEqual((yield* client.designs.finalize({ params: { id }, ...body })).status, "finalized")
      }
    }),
  )

  it.effect("reaches what lies below a record", () =>
    Effect.gen(function* () {
      const { id: product_id } = yield* newProduct
      const params = { product_id }
      const area = yield* client.print_areas.create({ params, payload: Records.area })
      assert.deepStrictEqual((yield* client.print_areas.list({ params })).data, [area])
      const one = { product_id, id: area.id }
      assert.strictEqual((yield* client.print_areas.modify({ params: one, payload: { name: "Back" } })).name, "Back")
      assert.isUndefined(yield* client.print_areas.delete({ params: one }))
      assert.deepStrictEqual((yield* client.print_areas.list({ params })).data, [])
    }),
  )

  it.effect("subscribes to all events by a star, tests an endpoint and reads its deliveries", () =>
    Effect.gen(function* () {
      const { events, id, secret } = yield* newEndpoint
      assert.deepStrictEqual([...events], ["*"])
      assert.match(secret, /^whsec_/)
      const params = { id }
      yield* client.webhook_endpoints.modify({ params, payload: { events: ["store.created", "store.deleted"] } })
      assert.strictEqual((yield* client.webhook_endpoints.test({ params })).event, "design.finalized")
      const payload = { event: "store.created" } as const
      assert.strictEqual((yield* client.webhook_endpoints.test({ params, payload })).status_code, 204)
      yield* client.stores.create({ payload: store })
      const [delivery] = (yield* client.webhook_endpoints.deliveries({ params, query: { status: "pending" } })).data
      assert.isDefined(delivery)
      assert.strictEqual(delivery.event, "store.created")
      assert.deepStrictEqual((yield* client.deliveries.get({ params: { id: delivery.id } })).attempts, [])
      const told = yield* client.events.list({ query: { event: "store.created", per_page: 1 } })
      assert.deepInclude(told.data[0], { id: delivery.event_id, event: "store.created" })
      const rotated = yield* client.webhook_endpoints.rotate_secret({ params, payload: { overlap_seconds: 60 } })
      assert.isNotNull(rotated.secret_overlap_until)
      assert.notStrictEqual((yield* client.webhook_endpoints.rotate_secret({ params })).secret, rotated.secret)
      yield* client.webhook_endpoints.delete({ params })
    }),
  )

  it.effect("fails with the contract's errors", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(client.stores.get({ params: { id: Records.nobody } }))
      assert.strictEqual(missing._tag, "NotFound")
      const { id } = yield* client.stores.create({ payload: store })
      const taken = yield* Effect.flip(client.stores.create({ payload: { ...store, id } }))
      assert.isTrue(taken._tag === "Conflict" && taken.code === "id_taken" && taken.request_id !== undefined)
      const wrong = yield* Effect.flip(client.stores.create({ payload: { name: "", platform: "" } }))
      assert.isTrue(wrong._tag === "Invalid" && wrong.errors.length === 2)
      const nobody = yield* clientWith(`tc_${"0".repeat(64)}`)
      const refused = yield* Effect.flip(nobody.stores.list())
      assert.isTrue(refused._tag === "Unauthorized" && refused.code === "invalid_api_key")
    }),
  )
})
