import { afterAll, assert, describe, it } from "@effect/vitest"
import { Client } from "@tc/api"
import { Id } from "@tc/domain"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Records from "./Records.ts"
import { start } from "./Service.ts"

const service = await start()
afterAll(service.stop)

/** The Fetch API, straight into the service. */
const fetch = Layer.succeed(FetchHttpClient.Fetch, (input, init) => service.handler(new Request(input, init)))
const http = FetchHttpClient.layer.pipe(Layer.provide(fetch))
const clientWith = (apiKey: string) => Client.make({ baseUrl: "http://localhost", apiKey }).pipe(Effect.provide(http))

const store = { ...Records.store, domain: null, active: true, store_url: null, external_store_id: null }
const query = { page: 1, per_page: 20 }

describe("the typed client", () => {
  it.effect("decodes what every operation answers", () =>
    Effect.gen(function* () {
      const client = yield* clientWith(service.key)
      const { id: store_id } = yield* client.stores.create({ payload: store })
      const product = yield* client.products.create({
        payload: { name: "Mug", store_id, description: null, customizable: true, base_image_url: null, variants: [] },
      })
      const params = { product_id: product.id }
      const area = yield* client.print_areas.create({
        params,
        payload: { ...Records.area, bounds: null, background_url: null, position: null },
      })
      assert.deepStrictEqual((yield* client.print_areas.list({ params, query })).data, [area])
      const changed = yield* client.print_areas.modify({
        params: { ...params, id: area.id },
        payload: { name: "Back" },
      })
      assert.strictEqual(changed.name, "Back")
      yield* client.print_areas.delete({ params: { ...params, id: area.id } })
      const design = yield* client.designs.create({
        payload: {
          product_id: product.id,
          session_token: null,
          status: "draft",
          canvas_data: {},
          preview_url: null,
          metadata: {},
        },
      })
      const finalized = yield* client.designs.finalize({ params: { id: design.id }, payload: undefined })
      assert.strictEqual(finalized.status, "finalized")
      const endpoint = yield* client.webhook_endpoints.create({
        payload: { url: Records.endpoint.url, events: ["*"], description: null, status: "active" },
      })
      assert.match(endpoint.secret, /^whsec_/)
      const tested = yield* client.webhook_endpoints.test({
        params: { id: endpoint.id },
        payload: { event: "store.created" },
      })
      assert.strictEqual(tested.status_code, 204)
      yield* client.stores.modify({ params: { id: store_id }, payload: { active: false } })
      const { data } = yield* client.webhook_endpoints.deliveries({ params: { id: endpoint.id }, query })
      assert.deepStrictEqual(
        data.map(({ event }) => event),
        ["store.updated"],
      )
      for (const { id } of data) assert.deepStrictEqual((yield* client.deliveries.get({ params: { id } })).attempts, [])
      assert.strictEqual((yield* client.events.list({ query: { ...query, event: "design.finalized" } })).meta.total, 1)
    }),
  )

  it.effect("fails with the contract's errors", () =>
    Effect.gen(function* () {
      const client = yield* clientWith(service.key)
      const missing = yield* Effect.flip(client.stores.get({ params: { id: Id.StoreId.id.make(Records.nobody) } }))
      assert.strictEqual(missing._tag, "NotFound")
      const { id } = yield* client.stores.create({ payload: store })
      const taken = yield* Effect.flip(client.stores.create({ payload: { ...store, id } }))
      assert.isTrue(taken._tag === "Conflict" && taken.code === "id_taken" && taken.request_id !== undefined)
      const nobody = yield* clientWith(`tc_${"0".repeat(64)}`)
      const refused = yield* Effect.flip(nobody.stores.list({ query }))
      assert.isTrue(refused._tag === "Unauthorized" && refused.code === "invalid_api_key")
    }),
  )
})
