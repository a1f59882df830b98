import { afterAll, assert, describe, it } from "@effect/vitest"
import { OpenApi } from "@tc/api"
import { Sample } from "@tc/domain"
import { Stores, Unavailable } from "@tc/store"
import { Context, Effect } from "effect"
import * as Records from "./Records.ts"
import { start, type Answer, type Json } from "./Service.ts"

/** A service whose storage ends every look at a store like this. */
const ending = (get: Effect.Effect<never>) =>
  start({
    change: (context) => Context.add(context, Stores, { ...Context.get(context, Stores), get: () => get }),
  })

const service = await start()
const down = await ending(Effect.die(new Unavailable({ cause: "none" })))
const broken = await ending(Effect.die(new Error("none")))
afterAll(() => Promise.all([service.stop(), down.stop(), broken.stop()]))

const one = `/api/v1/stores/${Records.nobody}`

/** How each error of the document comes about. */
const provoked: { readonly [component: string]: () => Promise<Answer> } = {
  BadRequest: () => service.post("/api/v1/stores", "{"),
  Unauthorized: () => service.get("/api/v1/stores", undefined, `tc_${"0".repeat(64)}`),
  Forbidden: async () =>
    service.post("/api/v1/stores", Records.store, await service.keyOf("default", { scopes: ["read"] })),
  NotFound: () => service.get(`/api/v1/designs/${Sample.design.id}`),
  Conflict: async () => {
    const { design_id } = await Records.seed(service)
    await service.post(`/api/v1/designs/${design_id}/finalize`)
    return service.patch(`/api/v1/designs/${design_id}`, { canvas_data: { a: 1 } })
  },
  PayloadTooLarge: () => service.post("/api/v1/stores", " ".repeat(10 * 1024 * 1024 + 1)),
  UnsupportedMediaType: () =>
    service.send("/api/v1/stores", {
      method: "POST",
      headers: { "x-api-key": service.key, "content-type": "text/plain" },
      body: "{}",
    }),
  Invalid: () => service.post("/api/v1/products", { store_id: "riverside" }),
  InternalServerError: () => broken.get(one),
  ServiceUnavailable: () => down.get(one),
}

const { schemas } = JSON.parse(JSON.stringify(OpenApi.document())).components
const documented = Object.entries<Json>(schemas).filter(([, { properties = {} }]) => "request_id" in properties)

describe("the example in the document", () => {
  for (const [component, { examples }] of documented) {
    it(`of ${component} is what the service says`, async () => {
      const answer = await provoked[component]?.()
      assert.deepStrictEqual({ ...answer?.body, request_id: examples[0].request_id }, examples[0])
    })
  }
})
