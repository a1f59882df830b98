import { spawnSync } from "node:child_process"
import { createSecureServer } from "node:http2"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { addresses, open, said, send } from "./Sending.ts"
import * as Servers from "./Servers.ts"

const trusting = open({}, { resolve: addresses("127.0.0.1"), ca: Servers.authority })
const answers: Servers.Answering = (_, response) => response.end()
const closes: Servers.Answering = (_, response) => response.writeHead(200, { Connection: "close" }).end()
const to = ({ port }: { readonly port: number }, host = "receiver.test") => `https://${host}:${port}/`

/** Nothing else can be made to give out so many sessions. */
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0

describe("a handshake", () => {
  it.live("fails with a certificate that its receiver signed itself", () =>
    Effect.gen(function* () {
      const server = yield* Servers.https("self-signed", answers)
      assert.strictEqual(said(yield* send(to(server))), "tls_error")
    }).pipe(Effect.provide(trusting)),
  )
  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    it.live(
      `fails with a certificate for another name each time, with ${version}, which can take up old sessions`,
      () =>
        Effect.gen(function* () {
          const server = yield* Servers.https("receiver", closes, { minVersion: version, maxVersion: version })
          assert.strictEqual(said(yield* send(to(server))), 200)
          for (let nth = 0; nth < 3; nth++) {
            assert.strictEqual(said(yield* send(to(server, "other.test"))), "tls_error")
            yield* Effect.sleep(20)
          }
        }).pipe(Effect.provide(trusting)),
    )
  }
  it.live("fails where the receiver speaks nothing but HTTP/2", () =>
    Effect.gen(function* () {
      const server = yield* Servers.listen(
        createSecureServer({ ...Servers.certified("receiver"), allowHTTP1: false }),
        "127.0.0.1",
      )
      assert.strictEqual(said(yield* send(to(server))), "tls_error")
    }).pipe(Effect.provide(trusting)),
  )
  it.live("fails with a version of TLS that is no longer safe", () =>
    Effect.gen(function* () {
      const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" } as const
      const server = yield* Servers.https("receiver", answers, old)
      assert.strictEqual(said(yield* send(to(server))), "tls_error")
    }).pipe(Effect.provide(trusting)),
  )
  it.live("is connection_reset where the receiver breaks it off", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => socket.resetAndDestroy())
      assert.strictEqual(said(yield* send(to(server))), "connection_reset")
    }).pipe(Effect.provide(trusting)),
  )
  it.live("names the host without the dot that may end it, for that is no name there", () =>
    Effect.gen(function* () {
      const names: Array<unknown> = []
      const server = yield* Servers.https("receiver", ({ socket }, response) => {
        names.push("servername" in socket ? socket.servername : undefined)
        response.end()
      })
      assert.strictEqual(said(yield* send(to(server, "receiver.test."))), 200)
      assert.deepStrictEqual(names, ["receiver.test"])
    }).pipe(Effect.provide(trusting)),
  )
  it.live("is not made again because the receiver wishes it", () =>
    Effect.gen(function* () {
      const renegotiated = yield* Deferred.make<boolean>()
      const server = yield* Servers.https(
        "receiver",
        ({ socket }, response) => {
          if (!("renegotiate" in socket) || typeof socket.renegotiate !== "function") return
          socket.on("error", () => {}).on("close", () => Deferred.doneUnsafe(renegotiated, Effect.succeed(false)))
          socket.renegotiate({}, (error: unknown) =>
            Deferred.doneUnsafe(renegotiated, Effect.succeed(error === null || error === undefined)),
          )
          setTimeout(() => response.end(), 50)
        },
        { maxVersion: "TLSv1.2" },
      )
      yield* send(to(server))
      assert.isFalse(yield* Deferred.await(renegotiated))
    }).pipe(Effect.provide(trusting)),
  )
  it.live("that stalls is given up with its attempt, not later", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<number>()
      const server = yield* Servers.tcp((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.succeed(performance.now())))
        Deferred.doneUnsafe(arrived, Effect.void)
      })
      const fiber = yield* Effect.forkChild(send(to(server)))
      yield* Deferred.await(arrived)
      const interrupted = performance.now()
      yield* Fiber.interrupt(fiber)
      assert.isBelow((yield* Deferred.await(closed)) - interrupted, 10_000)
    }).pipe(Effect.provide(trusting)),
  )
  it.live.skipIf(!hasOpenssl)("is not followed by sessions without end", () =>
    Effect.gen(function* () {
      const server = yield* Servers.sessions(1_000)
      assert.strictEqual(said(yield* send(to(server))), "invalid_response")
    }).pipe(Effect.provide(open({ timeout_ms: 20_000 }, { resolve: addresses("127.0.0.1"), ca: Servers.authority }))),
  )
  it.live("fails as it does where the environment says that certificates do not matter", () =>
    Effect.gen(function* () {
      const server = yield* Servers.https("self-signed", answers)
      yield* Effect.acquireRelease(
        Effect.sync(() => (process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0")),
        () => Effect.sync(() => delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]),
      )
      assert.strictEqual(said(yield* send(to(server))), "tls_error")
    }).pipe(Effect.provide(trusting)),
  )
})
