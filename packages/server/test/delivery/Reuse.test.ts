import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { later, local, open, said, send, sendAndRest } from "./Sending.ts"
import * as Servers from "./Servers.ts"

const answer = (status: number, text = "") =>
  `HTTP/1.1 ${status} Status\r\nContent-Length: ${text.length}\r\n\r\n${text}`

/** More than the buffers of two sockets hold. */
const large = new Uint8Array(8 * 1024 * 1024)

/** A server that does something with its first connection, and answers 201 on every other; and the end of the first. */
const first = (behaviour: (socket: Socket) => unknown) =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<void>()
    const server = yield* Servers.tcp((socket, connection) => {
      if (connection > 1) return socket.write(answer(201))
      socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
      return behaviour(socket)
    })
    return { port: server.port, closed: Deferred.await(closed) }
  })

describe("an answer that comes unasked", () => {
  for (const [sentence, behaviour] of [
    ["together with another", (socket) => socket.write(answer(200) + answer(299))],
    ["while its connection rests", (socket) => socket.write(answer(200), () => later(() => socket.write(answer(299))))],
    ["as the body of one that has none", (socket) => socket.write(`HTTP/1.1 204 None\r\n\r\n${answer(299)}`)],
    ["behind the length that was named", (socket) => socket.write(`${answer(200)}HTTP/1.1 299`)],
    [
      "behind the last chunk",
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${answer(299)}`),
    ],
  ] as ReadonlyArray<[string, (socket: Socket) => void]>) {
    it.live(`${sentence} is not taken for that of the next request`, () =>
      Effect.gen(function* () {
        const server = yield* first(behaviour)
        assert.isAtMost((yield* send(local(server))).status_code ?? 0, 204)
        yield* server.closed
        assert.strictEqual(said(yield* send(local(server))), 201)
      }).pipe(Effect.provide(open())),
    )
  }
})

describe("a receiver", () => {
  it.live("may close after every answer", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => socket.end(answer(200)))
      for (let nth = 0; nth < 10; nth++) assert.strictEqual(said(yield* send(local(server))), 200)
    }).pipe(Effect.provide(open())),
  )
  it.live("may announce that it closes, and not do so", () =>
    Effect.gen(function* () {
      const server = yield* first((socket) =>
        socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
      )
      assert.strictEqual(said(yield* sendAndRest(local(server))), 200)
      yield* server.closed
      assert.strictEqual(said(yield* send(local(server))), 201)
    }).pipe(Effect.provide(open())),
  )
  it.live("that answers before it has read the request is given no other on that connection", () =>
    Effect.gen(function* () {
      const server = yield* first((socket) => {
        socket.pause()
        socket.write(answer(200))
      })
      assert.strictEqual(said(yield* send(local(server), large)), 200)
      assert.strictEqual(said(yield* send(local(server))), 201)
    }).pipe(Effect.provide(open({ timeout_ms: 20_000 }))),
  )
  it.live("that refuses a request which it has not read is understood", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => {
        socket.pause()
        socket.end(answer(413))
      })
      assert.strictEqual(said(yield* send(local(server), large)), 413)
    }).pipe(Effect.provide(open())),
  )
  it.live("that never reads the request is given up at the deadline", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => void socket.pause())
      assert.strictEqual(said(yield* send(local(server), large)), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: 300 }))),
  )
  it.live("that resets while the request is being sent is connection_reset", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => socket.resetAndDestroy())
      assert.strictEqual(said(yield* send(local(server), large)), "connection_reset")
    }).pipe(Effect.provide(open())),
  )
  it.live("may send a thousand headers, with anything in them", () =>
    Effect.gen(function* () {
      const headers = Array.from({ length: 1_000 }, (_, nth) => `X-${nth}: \xff\x80\r\n`).join("")
      const odd = "__proto__: a\r\n__proto__: b\r\nconstructor: a\r\ntoString: a\r\nhasOwnProperty: a\r\n"
      const server = yield* Servers.tcp((socket) =>
        socket.write(`HTTP/1.1 503 Down\r\nRetry-After: \xff\r\n${odd}${headers}Content-Length: 0\r\n\r\n`, "latin1"),
      )
      const { retry_after, ...rest } = yield* send(local(server))
      assert.deepStrictEqual([said({ retry_after, ...rest }), retry_after], [503, "\xff"])
    }).pipe(Effect.provide(open())),
  )
})
