import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as Connections from "../../src/node/Connections.ts"
import { Exchange } from "../../src/node/Exchange.ts"
import * as Resolver from "../../src/node/Resolver.ts"
import { CLOSED_PORT } from "../blackbox/Receiver.ts"
import { addresses, counting, open, said, send, sendAndRest } from "./Sending.ts"
import * as Servers from "./Servers.ts"

/** Whatever is heard of a kept connection is heard in time. */
const PATIENT = { stale_ms: Infinity }

describe("a name", () => {
  it.live("is looked up once for a connection, and the connection opened to that address", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      let lookups = 0
      const resolve: Resolver.Resolve = () => {
        lookups += 1
        return addresses("127.0.0.1")("")
      }
      yield* Effect.gen(function* () {
        const url = `http://receiver.test:${server.port}/`
        assert.strictEqual(said(yield* sendAndRest(url)), 200)
        assert.strictEqual(said(yield* send(url)), 200)
      }).pipe(Effect.provide(open({}, { resolve })))
      assert.deepStrictEqual([lookups, server.connections()], [1, 1])
    }),
  )
  it.live.skipIf(!Servers.hasIPv6)("with several addresses is reached at the one that answers", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      const answer = yield* send(`http://receiver.test:${server.port}/`).pipe(
        Effect.provide(open({}, { resolve: addresses("::1", "127.0.0.1") })),
      )
      assert.strictEqual(said(answer), 200)
    }),
  )
  it.live.skipIf(!Servers.hasIPv6)("with several addresses is refused when all of them are", () =>
    Effect.gen(function* () {
      const answer = yield* send(`http://receiver.test:${CLOSED_PORT}/`).pipe(
        Effect.provide(open({}, { resolve: addresses("::1", "127.0.0.1") })),
      )
      assert.strictEqual(said(answer), "connection_refused")
    }),
  )
  it.live("of this machine is known without a name server", () =>
    Effect.gen(function* () {
      const found = yield* Effect.promise(() => Resolver.make()("localhost"))
      assert.include(["127.0.0.1", "::1"], found[0]?.address)
    }),
  )
})

describe("connections", () => {
  it.live("are kept from one request to the next", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      for (let count = 0; count < 10; count++) yield* sendAndRest(`http://127.0.0.1:${server.port}/`)
      assert.strictEqual(server.connections(), 1)
    }).pipe(Effect.provide(open())),
  )
  it.live("are not shared by requests at the same time", () =>
    Effect.gen(function* () {
      const waiting: Array<() => void> = []
      const server = yield* Servers.http((_, response) => {
        waiting.push(() => response.end())
        if (waiting.length === 5) for (const answer of waiting) answer()
      })
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5], () => send(`http://127.0.0.1:${server.port}/`), {
        concurrency: "unbounded",
      })
      assert.deepStrictEqual(answers.map(said), [200, 200, 200, 200, 200])
    }).pipe(Effect.provide(open())),
  )
  it.live("are not used again once they are too old, however briefly they have rested", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      const resolve = addresses("127.0.0.1")
      const connections = Connections.make({ resolve, allow_private: true, timeout_ms: 5_000 }, 300)
      const origin = `http://127.0.0.1:${server.port}`
      const use = Effect.callback<void>((resume) => {
        const connection = connections.take(origin, false)
        const exchange = new Exchange((_, __, whole) => {
          connections.give(connection, whole)
          resume(Effect.void)
        })
        connection.dispatch({ method: "POST", path: "/" }, exchange)
      })
      yield* use
      yield* Effect.sleep(350)
      yield* use
      connections.destroy()
      assert.strictEqual(server.connections(), 2)
    }),
  )
  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
  it.live("that the receiver closed as the next request went out are replaced by a new one", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket, connection) => {
        socket.write(answer)
        if (connection === 1) socket.once("data", () => socket.resetAndDestroy())
      })
      const url = `http://127.0.0.1:${server.port}/`
      yield* sendAndRest(url)
      assert.strictEqual(said(yield* send(url)), 200)
    }).pipe(Effect.provide(open({}, PATIENT))),
  )
  it.live("are replaced once only", () =>
    Effect.gen(function* () {
      let requests = 0
      const server = yield* Servers.tcp((socket, connection) => {
        requests += 1
        if (connection > 1) return socket.resetAndDestroy()
        socket.write(answer)
        socket.once("data", () => socket.resetAndDestroy())
      })
      const url = `http://127.0.0.1:${server.port}/`
      yield* sendAndRest(url)
      assert.strictEqual(said(yield* send(url)), "connection_reset")
      assert.strictEqual(requests, 2)
    }).pipe(Effect.provide(open({}, PATIENT))),
  )
  it.live("are not replaced when nobody waits for the answer any more", () =>
    Effect.gen(function* () {
      let requests = 0
      const second = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const server = yield* Servers.tcp((socket) => {
        requests += 1
        socket.write(answer)
        socket.once("data", () => {
          requests += 1
          socket.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
          Deferred.doneUnsafe(second, Effect.void)
        })
      })
      const url = `http://127.0.0.1:${server.port}/`
      yield* sendAndRest(url)
      const fiber = yield* Effect.forkChild(send(url))
      yield* Deferred.await(second)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
      yield* Effect.sleep(20)
      assert.strictEqual(requests, 2)
    }).pipe(Effect.provide(open())),
  )
  it.live("are not replaced when the receiver had the request for a while", () =>
    Effect.gen(function* () {
      let connections = 0
      const server = yield* Servers.tcp((socket, connection) => {
        connections = connection
        socket.write(answer)
        socket.once("data", () => setTimeout(() => socket.resetAndDestroy(), 100))
      })
      const url = `http://127.0.0.1:${server.port}/`
      yield* sendAndRest(url)
      assert.strictEqual(said(yield* send(url)), "connection_reset")
      assert.strictEqual(connections, 1)
    }).pipe(Effect.provide(open({}, { stale_ms: 50 }))),
  )
  it.live("are not replaced when an answer had begun", () =>
    Effect.gen(function* () {
      let connections = 0
      const server = yield* Servers.tcp((socket, connection) => {
        connections = connection
        socket.write(answer)
        socket.once("data", () => socket.write("HTTP/1.1 2", () => setTimeout(() => socket.resetAndDestroy(), 20)))
      })
      const url = `http://127.0.0.1:${server.port}/`
      yield* sendAndRest(url)
      assert.strictEqual(said(yield* send(url)), "connection_reset")
      assert.strictEqual(connections, 1)
    }).pipe(Effect.provide(open())),
  )
})
