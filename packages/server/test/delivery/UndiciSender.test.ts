import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { later, local, open, said, send, sendAndRest, started_at } from "./Sending.ts"
import * as Servers from "./Servers.ts"

/** Long enough for whatever has to happen in a test, short enough to wait for. */
const SHORT_MS = 3_000

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
    }).pipe(Effect.provide(open())),
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
    }).pipe(Effect.provide(open())),
  )
})

describe("an answer", () => {
  it.live("has the status, the body and when it was asked for", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => response.writeHead(202).end("thanks"))
      const answer = yield* send(local(server))
      assert.strictEqual(answer.status_code, 202)
      assert.strictEqual(answer.error, null)
      assert.strictEqual(answer.response_excerpt, "thanks")
      assert.strictEqual(answer.started_at, started_at)
      assert.isAtLeast(answer.duration_ms, 0)
    }).pipe(Effect.provide(open())),
  )
  it.live("has the Retry-After header as it was received", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => response.writeHead(503, { "Retry-After": "120" }).end())
      assert.strictEqual((yield* send(local(server))).retry_after, "120")
    }).pipe(Effect.provide(open())),
  )
  it.live("may be preceded by informational ones", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => {
        response.writeEarlyHints({ link: "</a.css>; rel=preload; as=style" })
        response.writeHead(204).end()
      })
      assert.strictEqual(said(yield* send(local(server))), 204)
    }).pipe(Effect.provide(open())),
  )
  it.live("may be preceded by a 100 for which nobody asked", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => {
        response.writeContinue()
        response.writeHead(204).end()
      })
      for (let nth = 0; nth < 3; nth++) assert.strictEqual(said(yield* sendAndRest(local(server))), 204)
    }).pipe(Effect.provide(open())),
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
      }).pipe(Effect.provide(open())),
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
    }).pipe(Effect.provide(open())),
  )
  it.live("is not cut in the middle of a character", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => response.end(`x${"é".repeat(20_000)}`))
      assert.strictEqual((yield* send(local(server))).response_excerpt, `x${"é".repeat(8_191)}`)
    }).pipe(Effect.provide(open())),
  )
  it.live("is well-formed text without U+0000, whatever was sent", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) =>
        response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62])),
      )
      const { response_excerpt } = yield* send(local(server))
      assert.match(response_excerpt ?? "", /^a\ufffd+b$/)
    }).pipe(Effect.provide(open())),
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
    }).pipe(Effect.provide(open())),
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
    }).pipe(Effect.provide(open({ timeout_ms: SHORT_MS }))),
  )
  it.live("that breaks off does not undo the status either", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", () => later(() => socket.resetAndDestroy())),
      )
      const answer = yield* send(local(server))
      assert.deepStrictEqual([said(answer), answer.response_excerpt], [200, "half"])
    }).pipe(Effect.provide(open())),
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
    }).pipe(Effect.provide(open())),
  )
})
