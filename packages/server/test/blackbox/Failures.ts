/** Requests that are refused: with which status, code and body. */
import { request as httpRequest } from "node:http"
import { text } from "node:stream/consumers"
import { assert, beforeAll, describe, it } from "vitest"
import { type Api, connect, unique } from "./Api.ts"
import { resources, world, type World } from "./Resources.ts"
import type { Server } from "./Server.ts"

const MiB = 1024 * 1024

/** The id with which the server answers to a request with an id of the caller's. */
const idFor = async (api: Api, id: string) =>
  (await api.request("GET", "nothing", undefined, { "x-request-id": id })).body.request_id

/** Sends an asset as large as that, with a length or in chunks; fetch would fail where an answer comes early. */
const send = (server: Server, bytes: number, headers: Readonly<Record<string, string>>) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const request = httpRequest(`${server.url}/api/v1/assets`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json", ...headers },
    })
    request.on("response", (response) => {
      text(response).then((text) => resolve({ status: response.statusCode, text }), reject)
    })
    // It may hang up on what it does not want to read, once it has answered.
    request.on("error", (error) => setTimeout(() => reject(error), 1_000))
    const start = `{"name":"${unique()}","asset_type":"clipart","metadata":{"fill":"`
    request.write(start)
    for (let left = bytes - start.length - 3; left > 0; left -= MiB) request.write("x".repeat(Math.min(left, MiB)))
    request.end('"}}')
  })

export const failures = (server: Server): void => {
  const api = connect(server.url, server.key)
  let its: World
  beforeAll(async () => {
    its = await world(api)
  })

  it("400: the body is not JSON", async () => {
    for (const body of ["{", "{'name':1}", '{"name":"a",}', "name=a", '{"name":"\u0001"}', "NaN", '{"a":1}{"b":2}']) {
      assert.strictEqual(await api.failure("POST", "assets", body), "400 malformed_json")
    }
  })

  it("404: there is nothing at the path", async () => {
    for (const path of ["nothing", "/", "/api", "/api/v1", "/api/v2/products", "/api/v1/products/x/y"]) {
      assert.strictEqual(await api.failure("GET", path), "404 not_found")
    }
  })

  it("405: the path takes other methods, and says which", async () => {
    const id = crypto.randomUUID()
    const methods = { PUT: `products/${id}`, DELETE: "products", PATCH: "designs", POST: `products/${id}` } as const
    const allow = { PUT: "DELETE GET PATCH", DELETE: "GET POST", PATCH: "GET POST", POST: "DELETE GET PATCH" }
    for (const method of ["PUT", "DELETE", "PATCH", "POST"] as const) {
      const answer = await api.request(method, methods[method], method === "DELETE" ? undefined : {})
      assert.deepStrictEqual([answer.status, answer.body.code], [405, "method_not_allowed"])
      const named = (answer.headers.get("allow") ?? "").split(", ").filter((name) => name !== "HEAD")
      assert.strictEqual(named.toSorted().join(" "), allow[method])
    }
    for (const path of [`designs/${id}/finalize`, `deliveries/${id}/retry`, `webhook_endpoints/${id}/test`]) {
      assert.strictEqual((await api.request("GET", path)).headers.get("allow"), "POST")
    }
  })

  it("415: the body is of another type than JSON", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/json5",
    ]) {
      const { body, status } = await api.request("POST", "assets", "{}", { "content-type": type })
      assert.deepStrictEqual([status, body.code], [415, "unsupported_media_type"])
    }
  })

  it("no 415: JSON in UTF-8, in any spelling of its type", async () => {
    const fields = JSON.stringify({ name: unique(), asset_type: "clipart" })
    for (const type of ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']) {
      assert.strictEqual((await api.request("POST", "assets", fields, { "content-type": type })).status, 201)
    }
  })

  describe("413: the body is larger than 10 MiB", () => {
    it("by its length", async () => {
      const { status, text } = await send(server, 10 * MiB + 1, { "content-length": String(10 * MiB + 1) })
      assert.deepStrictEqual([status, JSON.parse(text).code], [413, "payload_too_large"])
    })

    it("by what comes in chunks", async () => {
      const { status, text } = await send(server, 11 * MiB, { "transfer-encoding": "chunked" })
      assert.deepStrictEqual([status, JSON.parse(text).code], [413, "payload_too_large"])
    })

    it("and exactly 10 MiB are taken", async () => {
      const { status, text } = await send(server, 10 * MiB, { "content-length": String(10 * MiB) })
      assert.strictEqual(status, 201, text.slice(0, 500))
    })
  })

  describe("422", () => {
    it("names all wrong fields at once, those within fields too", async () => {
      const area = { name: "", width_px: 0, height_px: "1", bounds: { x: null, y: 1, width: -1 }, position: 1.5 }
      assert.deepStrictEqual(
        await api.wrong("POST", `products/${its.product.id}/print_areas`, { ...area, background_url: "/x", id: "1" }),
        [
          "/background_url",
          "/bounds/height",
          "/bounds/width",
          "/bounds/x",
          "/height_px",
          "/id",
          "/name",
          "/position",
          "/width_px",
        ],
      )
      const design = {
        product_id: 1,
        session_token: "",
        status: "done",
        canvas_data: [],
        preview_url: "ftp://a/",
        metadata: 1,
      }
      assert.deepStrictEqual(
        await api.wrong("POST", "designs", design),
        Object.keys(design)
          .map((name) => `/${name}`)
          .toSorted(),
      )
    })

    it("names the body itself where it is no object", async () => {
      for (const body of ["[]", "null", "5", '"text"', "true"]) {
        for (const { path } of resources) assert.deepStrictEqual(await api.wrong("POST", path(its), body), [""])
      }
    })

    it("names a reference that leads nowhere", async () => {
      const nobody = crypto.randomUUID()
      assert.deepStrictEqual(await api.wrong("POST", "products", { name: unique(), store_id: nobody }), ["/store_id"])
      assert.deepStrictEqual(await api.wrong("POST", "templates", { name: unique(), store_id: its.product.id }), [
        "/store_id",
      ])
      assert.deepStrictEqual(await api.wrong("POST", "designs", { product_id: its.store.id }), ["/product_id"])
      const move = await api.wrong("PATCH", `products/${its.product.id}`, {
        store_id: nobody,
      })
      assert.deepStrictEqual(move, ["/store_id"])
      const area = { name: unique(), width_px: 1, height_px: 1 }
      assert.strictEqual(await api.failure("POST", `products/${nobody}/print_areas`, area), "404 not_found")
    })

    it("is what sizes beyond the limits are answered with, and none within them", async () => {
      const store = { name: "n".repeat(255), platform: "p".repeat(64), external_store_id: "e".repeat(255) }
      await api.create("stores", { ...store, store_url: `https://a.example/${"x".repeat(2_030)}` })
      const larger = Object.fromEntries(Object.entries(store).map(([name, value]) => [name, `${value}x`]))
      const url = `https://a.example/${"x".repeat(2_031)}`
      assert.deepStrictEqual(
        await api.wrong("POST", "stores", { ...larger, store_url: url, domain: "d".repeat(2_049) }),
        ["/domain", "/external_store_id", "/name", "/platform", "/store_url"],
      )
      const product = { name: unique(), store_id: its.store.id, description: "d".repeat(65_535) }
      await api.create("products", product)
      assert.deepStrictEqual(await api.wrong("POST", "products", { ...product, description: "d".repeat(65_536) }), [
        "/description",
      ])
    })

    it("is what text that cannot be kept is answered with", async () => {
      assert.deepStrictEqual(await api.wrong("POST", "stores", '{"name":"a\\u0000","platform":"\\ud800"}'), [
        "/name",
        "/platform",
      ])
      const deep = `{"name":"${unique()}","asset_type":"clipart","metadata":${'{"a":'.repeat(101)}1${"}".repeat(101)}}`
      assert.deepStrictEqual(await api.wrong("POST", "assets", deep), ["/metadata"])
    })
  })

  it("take the caller's request id where it is sane", async () => {
    assert.strictEqual(await idFor(api, "caller-1.2_3"), "caller-1.2_3")
    for (const id of ["a b", "<script>", "x".repeat(129)]) assert.notStrictEqual(await idFor(api, id), id)
  })
}
