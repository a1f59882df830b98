import { setTimeout } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { defaults, DeliverySettings, type Settings } from "../../src/DeliverySettings.ts"
import { Unresolved } from "../../src/node/Failure.ts"
import type { Resolve } from "../../src/node/Resolver.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import { type Answer, Sender } from "../../src/Sender.ts"
import * as Servers from "./Servers.ts"

/** Long enough for whatever has to happen in a test, short enough to wait for. */
const SHORT_MS = 400

const layer = (settings: Partial<Settings> = {}, options: UndiciSender.Options = {}) =>
  UndiciSender.layer(options).pipe(
    Layer.provide(Layer.succeed(DeliverySettings, { ...defaults, allow_private: true, ...settings })),
  )

const body = new TextEncoder().encode(`{"id":"1"}`)

const send = (url: string) => Sender.use((sender) => sender.send({ url, headers: { "X-Test": "1" }, body }))

const local = ({ port }: { readonly port: number }, path = "/hook") => `http://127.0.0.1:${port}${path}`

const resolved: Resolve = async () => [{ address: "127.0.0.1", family: 4 }]
const resolvedLate: Resolve = (hostname) => setTimeout(300).then(() => resolved(hostname))

/** After the bytes before it have arrived. */
const later = (run: () => void) => void setTimeout(50).then(run)

/** What an answer says, without its times. */
const said = ({ status_code, error }: Answer) => status_code ?? error

describe("a request", () => {
  it.live("is a POST of the body to the path and query, with the headers given", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const server = yield* Servers.http(({ method, url, headers }, response, text) => {
        seen.push(method, url, text, headers["x-test"], headers.host, headers["content-length"])
        response.end()
      })
      yield* send(local(server, "/a%20b?c=d"))
      assert.deepStrictEqual(seen, ["POST", "/a%20b?c=d", `{"id":"1"}`, "1", `127.0.0.1:${server.port}`, "10"])
    }).pipe(Effect.provide(layer())),
  )
  it.live("asks for a body that is not compressed, and carries no trace", () =>
    Effect.gen(function* () {
      const seen = yield* Deferred.make<Record<string, unknown>>()
      const server = yield* Servers.http(({ headers }, response) => {
        Deferred.doneUnsafe(seen, Effect.succeed(headers))
        response.end()
      })
      yield* send(local(server)).pipe(Effect.withSpan("parent"))
      const headers = yield* Deferred.await(seen)
      assert.strictEqual(headers["accept-encoding"], "identity")
      assert.notProperty(headers, "traceparent")
      assert.notProperty(headers, "b3")
    }).pipe(Effect.provide(layer())),
  )
})

describe("an answer", () => {
  it.live("has the status, the body and when it was asked for", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => response.writeHead(202).end("thanks"))
      const before = Date.now()
      const answer = yield* send(local(server))
      assert.strictEqual(answer.status_code, 202)
      assert.strictEqual(answer.error, null)
      assert.strictEqual(answer.response_excerpt, "thanks")
      assert.isAtLeast(Date.parse(answer.started_at), before)
      assert.isAtLeast(answer.duration_ms, 0)
    }).pipe(Effect.provide(layer())),
  )
  it.live("has the Retry-After header as it was received", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => response.writeHead(503, { "Retry-After": "120" }).end())
      assert.strictEqual((yield* send(local(server))).retry_after, "120")
    }).pipe(Effect.provide(layer())),
  )
  it.live("may be preceded by informational ones", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => {
        response.writeEarlyHints({ link: "</a.css>; rel=preload; as=style" })
        response.writeHead(204).end()
      })
      assert.strictEqual(said(yield* send(local(server))), 204)
    }).pipe(Effect.provide(layer())),
  )
  for (const status of [301, 302, 303, 307, 308]) {
    it.live(`of ${status} is not followed`, () =>
      Effect.gen(function* () {
        let visits = 0
        const elsewhere = yield* Servers.http((_, response) => {
          visits += 1
          response.end()
        })
        const server = yield* Servers.http((_, response) =>
          response.writeHead(status, { Location: local(elsewhere) }).end(),
        )
        assert.strictEqual(said(yield* send(local(server))), status)
        assert.strictEqual(visits, 0)
      }).pipe(Effect.provide(layer())),
    )
  }
})

describe("the body of an answer", () => {
  it.live("is read up to 16 KiB, and the connection closed on the rest", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const server = yield* Servers.http((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        }
        response.on("drain", more).on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        more()
      })
      const answer = yield* send(local(server))
      assert.strictEqual(said(answer), 200)
      assert.strictEqual(answer.response_excerpt, "x".repeat(16_384))
      yield* Deferred.await(closed)
    }).pipe(Effect.provide(layer())),
  )
  it.live("is not cut in the middle of a character", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => response.end(`x${"é".repeat(20_000)}`))
      assert.strictEqual((yield* send(local(server))).response_excerpt, `x${"é".repeat(8_191)}`)
    }).pipe(Effect.provide(layer())),
  )
  it.live("is well-formed text without U+0000, whatever was sent", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) =>
        response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62])),
      )
      const { response_excerpt } = yield* send(local(server))
      assert.match(response_excerpt ?? "", /^a\ufffd+b$/)
    }).pipe(Effect.provide(layer())),
  )
  it.live("is not inflated", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
      const server = yield* Servers.http((_, response) =>
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb),
      )
      const answer = yield* send(local(server))
      assert.strictEqual(said(answer), 200)
      assert.isAtMost(answer.response_excerpt?.length ?? 0, 16_384)
    }).pipe(Effect.provide(layer())),
  )
  it.live("that drips for ever does not undo a status that came in time", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => {
        response.write("drip")
        const timer = setInterval(() => response.write("drip"), 20)
        response.on("close", () => clearInterval(timer))
      })
      const answer = yield* send(local(server))
      assert.strictEqual(said(answer), 200)
      assert.match(answer.response_excerpt ?? "", /^(drip)+$/)
    }).pipe(Effect.provide(layer({ timeout_ms: SHORT_MS }))),
  )
  it.live("that breaks off does not undo the status either", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", () => later(() => socket.resetAndDestroy())),
      )
      const answer = yield* send(local(server))
      assert.deepStrictEqual([said(answer), answer.response_excerpt], [200, "half"])
    }).pipe(Effect.provide(layer())),
  )
})

describe("the deadline", () => {
  it.live("covers the headers of the answer", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http(() => {})
      assert.strictEqual(said(yield* send(local(server))), "timeout")
    }).pipe(Effect.provide(layer({ timeout_ms: SHORT_MS }))),
  )
  it.live("is not put off by headers that drip", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const timer = setInterval(() => socket.write("X-Drip: 1\r\n"), 20)
        socket.on("close", () => clearInterval(timer))
      })
      assert.strictEqual(said(yield* send(local(server))), "timeout")
    }).pipe(Effect.provide(layer({ timeout_ms: SHORT_MS }))),
  )
  it.live("covers TLS", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp(() => {})
      assert.strictEqual(said(yield* send(`https://127.0.0.1:${server.port}/`)), "timeout")
    }).pipe(Effect.provide(layer({ timeout_ms: SHORT_MS }))),
  )
  it.live("covers the connection", () =>
    Effect.gen(function* () {
      const server = yield* Servers.blackHole
      assert.strictEqual(said(yield* send(local(server))), "timeout")
    }).pipe(Effect.provide(layer({ timeout_ms: SHORT_MS }))),
  )
  it.live("covers the look-up of the name", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send("http://receiver.test/")), "timeout")
    }).pipe(Effect.provide(layer({ timeout_ms: SHORT_MS }, { resolve: () => new Promise(() => {}) }))),
  )
  it.live("keeps a request from being sent after it", () =>
    Effect.gen(function* () {
      let visits = 0
      const server = yield* Servers.http((_, response) => {
        visits += 1
        response.end()
      })
      const answer = yield* send(`http://receiver.test:${server.port}/`).pipe(
        Effect.provide(layer({ timeout_ms: 200 }, { resolve: resolvedLate })),
        Effect.tap(Effect.sleep(300)),
      )
      assert.strictEqual(said(answer), "timeout")
      assert.strictEqual(visits, 0)
    }),
  )
})

describe("an error", () => {
  it.live("is connection_refused where nobody listens", () =>
    Effect.gen(function* () {
      const port = yield* Servers.closedPort
      assert.strictEqual(said(yield* send(local({ port }))), "connection_refused")
    }).pipe(Effect.provide(layer())),
  )
  it.live("is connection_reset where the connection is closed without an answer", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => socket.end())
      assert.strictEqual(said(yield* send(local(server))), "connection_reset")
    }).pipe(Effect.provide(layer())),
  )
  it.live("is connection_reset where it is reset in the middle of the headers", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX-A", () => later(() => socket.resetAndDestroy()))
      })
      assert.strictEqual(said(yield* send(local(server))), "connection_reset")
    }).pipe(Effect.provide(layer())),
  )
  for (const [sentence, answer] of [
    ["is no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["has a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"],
    ["switches protocols unasked", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"],
    ["has more than 16 KiB of headers", `HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`],
    ["has headers without end", `HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(10_000)}`],
  ] as const) {
    it.live(`is invalid_response where the answer ${sentence}`, () =>
      Effect.gen(function* () {
        const server = yield* Servers.tcp((socket) => socket.write(answer))
        assert.strictEqual(said(yield* send(local(server))), "invalid_response")
      }).pipe(Effect.provide(layer())),
    )
  }
  it.live("is dns_error where the name has no address", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send("http://receiver.test/")), "dns_error")
    }).pipe(Effect.provide(layer({}, { resolve: async () => [] }))),
  )
  it.live("is dns_error where the look-up fails", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send("http://receiver.test/")), "dns_error")
    }).pipe(Effect.provide(layer({}, { resolve: () => Promise.reject(new Unresolved("no such name")) }))),
  )
})

const ok = (_: unknown, response: { readonly end: () => void }) => response.end()

describe("TLS", () => {
  const trusting = layer({}, { resolve: resolved, ca: Servers.authority })

  it.live("is taken from a certificate that is valid for the name", () =>
    Effect.gen(function* () {
      const server = yield* Servers.https("receiver", ok)
      assert.strictEqual(said(yield* send(`https://receiver.test:${server.port}/`)), 200)
    }).pipe(Effect.provide(trusting)),
  )
  it.live("names the host in the handshake and in the Host header, not the address", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const server = yield* Servers.https("receiver", ({ socket, headers }, response) => {
        seen.push("servername" in socket ? socket.servername : undefined, headers.host)
        response.end()
      })
      yield* send(`https://receiver.test:${server.port}/`)
      assert.deepStrictEqual(seen, ["receiver.test", `receiver.test:${server.port}`])
    }).pipe(Effect.provide(trusting)),
  )
  it.live("is refused where the certificate is for another name", () =>
    Effect.gen(function* () {
      const server = yield* Servers.https("receiver", ok)
      assert.strictEqual(said(yield* send(`https://other.test:${server.port}/`)), "tls_error")
    }).pipe(Effect.provide(trusting)),
  )
  it.live("is refused where the certificate has expired", () =>
    Effect.gen(function* () {
      const server = yield* Servers.https("expired", ok)
      assert.strictEqual(said(yield* send(`https://receiver.test:${server.port}/`)), "tls_error")
    }).pipe(Effect.provide(trusting)),
  )
  it.live("is refused where nobody known has signed the certificate, private addresses or not", () =>
    Effect.gen(function* () {
      const server = yield* Servers.https("receiver", ok)
      assert.strictEqual(said(yield* send(`https://receiver.test:${server.port}/`)), "tls_error")
    }).pipe(Effect.provide(layer({ allow_private: true }, { resolve: resolved }))),
  )
  it.live("is an error where the receiver speaks none", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => void response.end())
      assert.strictEqual(said(yield* send(`https://127.0.0.1:${server.port}/`)), "tls_error")
    }).pipe(Effect.provide(layer())),
  )
})

describe("an interrupted request", () => {
  it.live("closes its connection", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const server = yield* Servers.tcp((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        Deferred.doneUnsafe(arrived, Effect.void)
      })
      const fiber = yield* Effect.forkChild(send(local(server)))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    }).pipe(Effect.provide(layer())),
  )
})
