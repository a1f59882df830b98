import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Client, Errors as Wire } from "@tc/api"
import { Sample } from "@tc/domain"
import { Effect } from "effect"
import { HttpClient, HttpClientResponse, UrlParams, type HttpClientRequest } from "effect/http"

const api_key = `tc_${"0".repeat(64)}`
const { id } = Sample.design

/** A client, and the requests it has sent: each is answered with `status` and `body`. */
const wire = (status: number, body: unknown) => {
  const sent: Array<HttpClientRequest.HttpClientRequest> = []
  const http = HttpClient.make((request) => {
    sent.push(request)
    return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body, { status })))
  })
  const client = Client.make({ base_url: "https://api.example/shop", api_key }).pipe(
    Effect.provideService(HttpClient.HttpClient, http),
  )
  return { client, sent }
}

/** What goes over the wire. */
const told = ({ method, url, urlParams, headers, body }: HttpClientRequest.HttpClientRequest) => ({
  method,
  url,
  query: UrlParams.toString(urlParams),
  authorization: headers["authorization"],
  body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : body._tag,
})

const authorization = `Bearer ${api_key}`

describe("a request of the client", () => {
  it.effect("carries what was given and nothing else", () =>
    Effect.gen(function* () {
      const { client, sent } = wire(201, Sample.store)
      yield* (yield* client).stores.create({ payload: { name: "A", platform: "swell", domain: null } })
      assert.deepStrictEqual(sent.map(told), [
        {
          method: "POST",
          url: "https://api.example/shop/api/v1/stores",
          query: "",
          authorization,
          body: '{"name":"A","platform":"swell","domain":null}',
        },
      ])
    }),
  )

  it.effect("has a query only where one was given", () =>
    Effect.gen(function* () {
      const { client, sent } = wire(200, {
        data: [Sample.design],
        meta: { page: 1, per_page: 2, total: 1, total_pages: 1 },
      })
      const { designs } = yield* client
      yield* designs.list()
      yield* designs.list({})
      yield* designs.list({ query: {} })
      yield* designs.list({ query: { per_page: 2, q: "a&b" } })
      assert.deepStrictEqual(
        sent.map((request) => told(request).query),
        ["", "", "", "per_page=2&q=a%26b"],
      )
    }),
  )

  it.effect("has a body only where one was given", () =>
    Effect.gen(function* () {
      const { client, sent } = wire(200, Sample.design)
      const { designs } = yield* client
      yield* designs.finalize({ params: { id } })
      yield* designs.finalize({ params: { id }, payload: { metadata: null } })
      assert.deepStrictEqual(
        sent.map((request) => told(request).body),
        ["Empty", '{"metadata":null}'],
      )
    }),
  )

  it.effect("names the record in its path, in small letters", () =>
    Effect.gen(function* () {
      const { client, sent } = wire(200, Sample.print_area)
      const params = { product_id: id.toUpperCase(), id }
      yield* (yield* client).print_areas.get({ params })
      assert.strictEqual(sent[0]?.url, `https://api.example/shop/api/v1/products/${id}/print_areas/${id}`)
    }),
  )

  it.effect("is not sent for an id that is none", () =>
    Effect.gen(function* () {
      const { client, sent } = wire(204, null)
      const { stores } = yield* client
      for (const wrong of ["", ".", "..", `${id}/..`, "nonsense"]) {
        assert.strictEqual((yield* Effect.flip(stores.delete({ params: { id: wrong } })))._tag, "SchemaError")
      }
      assert.deepStrictEqual(sent, [])
    }),
  )
})

describe("an answer to the client", () => {
  it.effect("is decoded", () =>
    Effect.gen(function* () {
      const { client } = wire(200, Sample.design)
      assert.deepStrictEqual(yield* (yield* client).designs.get({ params: { id } }), Sample.design)
    }),
  )

  it.effect("is the contract's error where the API refuses", () =>
    Effect.gen(function* () {
      const refused = { error: "Not Found", message: "There is none.", code: "not_found", request_id: "r1" }
      const error = yield* Effect.flip((yield* wire(404, refused).client).designs.get({ params: { id } }))
      assert.isTrue(Wire.isFailure(error) && error._tag === "NotFound" && error.request_id === "r1")
    }),
  )

  it.effect("is an error of its own where it is not the contract's", () =>
    Effect.gen(function* () {
      const { client } = wire(200, { ...Sample.design, status: "printed" })
      assert.strictEqual((yield* Effect.flip((yield* client).designs.get({ params: { id } })))._tag, "SchemaError")
    }),
  )
})

const text = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

describe("what is written of the client", () => {
  // `Readme.ts` is compiled with the tests.
  const program = text("Readme.ts")

  it("in the README is a program that compiles", () =>
    assert.deepStrictEqual(/```ts\n(.*?)```/s.exec(text("../README.md"))?.[1], program))

  it("in its docstring is a part of that program", () => {
    const [, example = "none"] = /@example\n(.*?) \*\//s.exec(text("../src/Client.ts")) ?? []
    assert.include(program, example.replaceAll(/^ \* /gm, "  "))
  })
})
