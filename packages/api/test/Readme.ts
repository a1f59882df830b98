import { Client } from "@tc/api"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"

const program = Effect.fn(function* (api_key: string) {
  const client = yield* Client.make({ base_url: "http://127.0.0.1:3000", api_key })
  const store = yield* client.stores.create({ payload: { name: "Riverside Prints", platform: "swell" } })
  const product = yield* client.products.create({ payload: { name: "Mug", store_id: store.id } })
  const design = yield* client.designs.create({ payload: { product_id: product.id } })
  yield* client.designs.finalize({ params: { id: design.id } })
  const { meta } = yield* client.designs.list({ query: { per_page: 100 } })
  return meta.total
})

await Effect.runPromise(program("tc_…").pipe(Effect.provide(FetchHttpClient.layer)))
