import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { attemptError, Unresolved } from "../../src/node/Failure.ts"
import type { Resolve } from "../../src/node/Resolver.ts"
import { Sender } from "../../src/Sender.ts"
import { CLOSED_PORT } from "../blackbox/Receiver.ts"
import { addresses, counting, later, layer, local, open, said, send, started_at } from "./Sending.ts"
import * as Servers from "./Servers.ts"

describe("an error", () => {
  it.live("is connection_refused where nobody listens", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send(local({ port: CLOSED_PORT }))), "connection_refused")
    }).pipe(Effect.provide(open())),
  )
  it.live("is connection_reset where the connection is closed without an answer", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => socket.end())
      assert.strictEqual(said(yield* send(local(server))), "connection_reset")
    }).pipe(Effect.provide(open())),
  )
  it.live("is connection_reset where it is reset in the middle of the headers", () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX-A", () => later(() => socket.resetAndDestroy()))
      })
      assert.strictEqual(said(yield* send(local(server))), "connection_reset")
    }).pipe(Effect.provide(open())),
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
      }).pipe(Effect.provide(open())),
    )
  }
  it.live("is dns_error where the name has no address", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send("http://receiver.test/")), "dns_error")
    }).pipe(Effect.provide(open({}, { resolve: async () => [] }))),
  )
  it.live("is dns_error where the look-up fails", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send("http://receiver.test/")), "dns_error")
    }).pipe(Effect.provide(open({}, { resolve: () => Promise.reject(new Unresolved("no such name")) }))),
  )
})

describe("a name", () => {
  it.live("of any script is looked up in ASCII", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const resolve: Resolve = async (hostname) => {
        asked.push(hostname)
        return []
      }
      yield* Effect.provide(send("https://bücher.test/"), layer({}, { resolve }))
      assert.deepStrictEqual(asked, ["xn--bcher-kva.test"])
    }),
  )
  it.live("that no name server can be asked for is dns_error", () =>
    Effect.gen(function* () {
      assert.strictEqual(said(yield* send(`https://${"a".repeat(64)}.test/`)), "dns_error")
    }).pipe(Effect.provide(layer())),
  )
})

describe("a request that is none", () => {
  it.live("is no attempt, and is not sent", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      const headers = { "X-Test": "1\r\nX-Injected: 1" }
      const exit = yield* Effect.exit(
        Sender.use((sender) => sender.send({ url: local(server), headers, body: new Uint8Array(), started_at })),
      )
      assert.isTrue(Exit.hasDies(exit))
      assert.strictEqual(server.connections(), 0)
    }).pipe(Effect.provide(open())),
  )
})

const ok = (_: unknown, response: { readonly end: () => void }) => response.end()

describe("TLS", () => {
  const trusting = open({}, { resolve: addresses("127.0.0.1"), ca: Servers.authority })

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
    }).pipe(Effect.provide(open({}, { resolve: addresses("127.0.0.1") }))),
  )
  it.live("is an error where the receiver speaks none", () =>
    Effect.gen(function* () {
      const server = yield* Servers.http((_, response) => void response.end())
      assert.strictEqual(said(yield* send(`https://127.0.0.1:${server.port}/`)), "tls_error")
    }).pipe(Effect.provide(open())),
  )
})

const coded = (code: string) => Object.assign(new Error(code), { code })

describe("an error of a socket", () => {
  it("is no attempt's when this machine has no sockets left", () => assert.isNull(attemptError(coded("EMFILE"))))
  it("is connection_reset when the receiver stopped reading", () =>
    assert.strictEqual(attemptError(coded("EPIPE")), "connection_reset"))
  it("is connection_refused when there is no way to the address", () =>
    assert.strictEqual(attemptError(coded("EHOSTUNREACH")), "connection_refused"))
  it("is connection_reset when nobody knows it", () =>
    assert.strictEqual(attemptError(coded("EWHATEVER")), "connection_reset"))
})
