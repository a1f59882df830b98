import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Resolve } from "../../src/node/Resolver.ts"
import { addresses, later, local, open, said, send, sendAndRest } from "./Sending.ts"
import * as Servers from "./Servers.ts"

/** Milliseconds until nothing has happened. */
const SHORT_MS = 400
/** The same where something has to be answered first. */
const TWICE_MS = 3_000

const late: Resolve = (hostname) => setTimeout(300).then(() => addresses("127.0.0.1")(hostname))

describe.concurrent("the deadline", () => {
  it.live("covers the headers of the answer", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http(() => {})
      assert.strictEqual(said(yield* send(local(server))), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: SHORT_MS }))),
  )
  it.live("is not put off by headers that drip", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const timer = setInterval(() => socket.write("X-Drip: 1\r\n"), 20)
        socket.on("close", () => clearInterval(timer))
      })
      assert.strictEqual(said(yield* send(local(server))), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: SHORT_MS }))),
  )
  it.live("covers TLS", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp(() => {})
      assert.strictEqual(said(yield* send(`https://127.0.0.1:${server.port}/`)), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: SHORT_MS }))),
  )
  it.live("covers the connection", () =>
    Effect.gen(function* () {
      const server = yield* Servers.blackHole
      assert.strictEqual(said(yield* send(local(server))), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: SHORT_MS }))),
  )
  it.live("covers the look-up of the name", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send("http://receiver.test/")), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: SHORT_MS }, { resolve: () => new Promise(() => {}) }))),
  )
  it.live("is one over all of these, and begins anew with none", () =>
    Effect.gen(function* () {
      const server = yield* Servers.https("receiver", (_, response) => later(() => response.end(), 300))
      assert.strictEqual(said(yield* send(`https://receiver.test:${server.port}/`)), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: SHORT_MS }, { resolve: late, ca: Servers.authority }))),
  )
  it.live("is that of the first request where it is sent once more", () =>
    Effect.gen(function* () {
      const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
      const server = yield* Servers.tcp((socket, connection) => {
        if (connection > 1) return later(() => socket.write(answer), TWICE_MS * 0.9)
        socket.write(answer)
        socket.once("data", () => later(() => socket.resetAndDestroy(), TWICE_MS * 0.2))
      })
      yield* sendAndRest(local(server))
      assert.strictEqual(said(yield* send(local(server))), "timeout")
    }).pipe(Effect.provide(open({ timeout_ms: TWICE_MS }, { stale_ms: Infinity }))),
  )
  it.live("keeps a request from being sent after it", () =>
    Effect.gen(function* () {
      let visits = 0
      const server = yield* Servers.http((_, response) => {
        visits += 1
        response.end()
      })
      const answer = yield* send(`http://receiver.test:${server.port}/`).pipe(
        Effect.provide(open({ timeout_ms: 200 }, { resolve: late })),
        Effect.tap(Effect.sleep(300)),
      )
      assert.strictEqual(said(answer), "timeout")
      assert.strictEqual(visits, 0)
    }),
  )
})
