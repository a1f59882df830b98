/** The page and its files as they are served: what a browser may do with them, what it keeps, and where there is nothing. */
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer } from "node:http"
import { gzipSync } from "node:zlib"
import * as Pages from "../../src/dashboard/Pages.ts"
import { defaults, HttpSettings } from "../../src/http/HttpSettings.ts"
import { start } from "./World.ts"

const SCRIPT = "let answer = 42\n".repeat(100)
const bytes = (content: string | Buffer) => new Uint8Array(Buffer.from(content))

const build: Pages.Build = {
  document: '<meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>',
  files: new Map([
    ["/assets/index-4f2a.js", { type: "text/javascript", bytes: bytes(SCRIPT), gzip: bytes(gzipSync(SCRIPT)) }],
    ["/assets/dot.png", { type: "image/png", bytes: bytes("dot"), gzip: null }],
  ]),
}

/** The origin of a server that has the pages of that build and nothing else. */
const pages = Effect.gen(function* () {
  const server = yield* Layer.build(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 }))
  yield* HttpRouter.serve(Pages.layer(build), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeedContext(server)),
    Layer.provide(Layer.succeed(HttpSettings, { ...defaults, log_requests: false })),
    Layer.build,
  )
  return HttpServer.formatAddress(Context.get(server, HttpServer.HttpServer).address)
})

const get = (url: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers, method })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

describe("the page", () => {
  it.live("has a nonce of its own in each answer, the same in its policy and in the document", () =>
    Effect.gen(function* () {
      const origin = yield* pages
      const answers = yield* Effect.all([get(`${origin}/dashboard`), get(`${origin}/dashboard/deliveries?page=2`)])
      const nonces = answers.map(({ headers, text }) => {
        const [, nonce = ""] = /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "") ?? []
        assert.strictEqual(Buffer.from(nonce, "base64").length, 16)
        assert.strictEqual(text, build.document.replaceAll("__CSP_NONCE__", nonce))
        return nonce
      })
      assert.notStrictEqual(nonces[0], nonces[1])
    }),
  )

  it.live("may run, load and ask its own server alone, in no frame, without inline scripts", () =>
    Effect.gen(function* () {
      const { headers } = yield* get(`${yield* pages}/dashboard`)
      assert.strictEqual(
        headers.get("content-security-policy")?.replace(/'nonce-[^']+'/, "'nonce'"),
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce'; img-src 'self' data: blob:; font-src 'self'; " +
          "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      )
    }),
  )

  it.live("is kept by nobody, taken for nothing else, and tells no other site of its address", () =>
    Effect.gen(function* () {
      const { headers } = yield* get(`${yield* pages}/dashboard`)
      const told = ["cache-control", "x-content-type-options", "referrer-policy", "content-type"]
      assert.deepStrictEqual(
        told.map((name) => headers.get(name)),
        ["no-store", "nosniff", "no-referrer", "text/html; charset=utf-8"],
      )
    }),
  )
})

describe("a file of the page", () => {
  it.live("never changes, so that a browser asks once", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* get(`${yield* pages}/dashboard/assets/index-4f2a.js`)
      assert.strictEqual(text, SCRIPT)
      assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.strictEqual(headers.get("content-type"), "text/javascript")
      assert.strictEqual(headers.get("vary"), "accept-encoding")
    }),
  )

  it.live.each([
    ["gzip", "gzip"],
    ["br, gzip;q=0.5", "gzip"],
    ["deflate, GZIP ; q=1.0", "gzip"],
    ["gzip;q=0", null],
    ["br, gzip; q=0.000", null],
    ["identity", null],
    ["x-gzip", null],
  ] as const)("comes to who accepts %j in the coding %j", ([accepted, coding]) =>
    Effect.gen(function* () {
      const url = `${yield* pages}/dashboard/assets/index-4f2a.js`
      const { headers, text } = yield* get(url, { "accept-encoding": accepted })
      assert.strictEqual(headers.get("content-encoding"), coding)
      assert.strictEqual(Number(headers.get("content-length")) < SCRIPT.length, coding === "gzip")
      assert.strictEqual(text, SCRIPT)
    }),
  )

  it.live("that gains nothing by it is never compressed", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* get(`${yield* pages}/dashboard/assets/dot.png`, { "accept-encoding": "gzip" })
      assert.deepStrictEqual([headers.get("content-encoding"), text], [null, "dot"])
    }),
  )

  it.live("that there is not is no page either, whatever was served under its name before", () =>
    Effect.gen(function* () {
      const origin = yield* pages
      for (const path of ["/assets/index-0000.js", "/assets", "/assets/", "/api", "/api/v1/nothing"]) {
        const { headers, status, text } = yield* get(`${origin}/dashboard${path}`)
        assert.deepStrictEqual([status, JSON.parse(text).code], [404, "not_found"], path)
        assert.isNull(headers.get("allow"))
        assert.notInclude(headers.get("cache-control") ?? "", "immutable")
      }
    }),
  )
})

it.live("who opens the root in a browser is led to the dashboard; for programs there is nothing", () =>
  Effect.gen(function* () {
    const origin = yield* pages
    const answers = yield* Effect.forEach(["text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "*/*"], (accept) =>
      Effect.promise(() => fetch(origin, { headers: { accept }, redirect: "manual" })),
    )
    assert.deepStrictEqual(
      answers.map(({ headers, status }) => [status, headers.get("location"), headers.get("vary")]),
      [
        [302, "/dashboard", "accept"],
        [404, null, null],
      ],
    )
  }),
)

it.live("a path of the dashboard says which methods it takes", () =>
  Effect.gen(function* () {
    const { origin } = yield* start()
    for (const [method, path, status, allow] of [
      ["POST", "", 405, "GET, HEAD"],
      ["DELETE", "/", 405, "GET, HEAD"],
      ["PUT", "/deliveries?page=2", 405, "GET, HEAD"],
      ["POST", "/assets/index.js", 405, "GET, HEAD"],
      ["PUT", "/api/v1/session", 405, "GET, HEAD, POST, DELETE"],
      ["GET", "/api/v1/session/password", 405, "POST"],
      ["DELETE", "/api/v1/session/password", 405, "POST"],
      ["PATCH", "/api/v1/deliveries", 405, "GET, HEAD"],
      ["GET", "/api/v1/nothing", 404, null],
      ["POST", "/api/v1/nothing", 404, null],
      ["POST", "/api", 404, null],
      ["POST", "x", 404, null],
    ] as const) {
      const { headers, status: answered } = yield* get(`${origin}/dashboard${path}`, {}, method)
      assert.deepStrictEqual([answered, headers.get("allow")], [status, allow], `${method} ${path}`)
    }
  }),
)
