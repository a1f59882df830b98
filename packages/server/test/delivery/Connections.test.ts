import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { defaults, DeliverySettings, type Settings } from "../../src/DeliverySettings.ts"
import { attemptError } from "../../src/node/Failure.ts"
import type { Resolve } from "../../src/node/Resolver.ts"
import * as Resolver from "../../src/node/Resolver.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import { type Answer, Sender } from "../../src/Sender.ts"
import * as Servers from "./Servers.ts"

const layer = (settings: Partial<Settings> = {}, options: UndiciSender.Options = {}) =>
  UndiciSender.layer(options).pipe(Layer.provide(Layer.succeed(DeliverySettings, { ...defaults, ...settings })))

const body = new TextEncoder().encode("{}")

const send = (url: string) => Sender.use((sender) => sender.send({ url, headers: {}, body }))

/** A kept connection can be used again a turn of the event loop after its answer. */
const sendAndRest = (url: string) => Effect.tap(send(url), Effect.sleep(20))

const said = ({ status_code, error }: Answer) => status_code ?? error

const addresses =
  (...found: ReadonlyArray<string>): Resolve =>
  async () =>
    found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

/** A server that counts the connections made to it. */
const counting = (host = "127.0.0.1") =>
  Effect.gen(function* () {
    let connections = 0
    const server = yield* Servers.http((_, response) => void response.end(), host)
    server.server.on("connection", () => (connections += 1))
    return { port: server.port, connections: () => connections }
  })

/** All the ways to write this machine, and the metadata service of most clouds. */
const urls = (port: number) => [
  `http://127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}/`,
  `https://2130706433:${port}/`,
  `https://0x7f000001:${port}/`,
  `https://0177.0.0.1:${port}/`,
  `https://127.1:${port}/`,
  `https://0.0.0.0:${port}/`,
  `https://[::1]:${port}/`,
  `https://[::ffff:127.0.0.1]:${port}/`,
  `https://[64:ff9b::7f00:1]:${port}/`,
  `https://localhost:${port}/`,
  `https://receiver.localhost.:${port}/`,
  `https://169.254.169.254/latest/meta-data`,
]

describe("private addresses", () => {
  it.live("are refused in every way to write them, and nothing connects", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      for (const url of urls(server.port)) assert.strictEqual(said(yield* send(url)), "blocked_address", url)
      assert.strictEqual(server.connections(), 0)
    }).pipe(Effect.provide(layer())),
  )
  for (const [sentence, found] of [
    ["leads to one", ["127.0.0.1"]],
    ["leads to one of IPv6", ["::1"]],
    ["leads to one beside a public one", ["93.184.215.14", "127.0.0.1"]],
    ["leads to one written as IPv6", ["::ffff:127.0.0.1"]],
  ] as const) {
    it.live(`are refused when a name ${sentence}, and nothing connects`, () =>
      Effect.gen(function* () {
        const server = yield* counting()
        const answer = yield* send(`https://receiver.test:${server.port}/`).pipe(
          Effect.provide(layer({}, { resolve: addresses(...found) })),
        )
        assert.strictEqual(said(answer), "blocked_address")
        assert.strictEqual(server.connections(), 0)
      }),
    )
  }
  it.live("are refused when a name leads there only from the second attempt on", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      const answers = [[], ["127.0.0.1"]]
      const resolve: Resolve = () => addresses(...(answers.shift() ?? []))("")
      yield* Effect.gen(function* () {
        const url = `https://receiver.test:${server.port}/`
        assert.strictEqual(said(yield* send(url)), "dns_error")
        assert.strictEqual(said(yield* send(url)), "blocked_address")
      }).pipe(Effect.provide(layer({}, { resolve })))
      assert.strictEqual(server.connections(), 0)
    }),
  )
  it.live("are allowed by a setting", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      assert.strictEqual(said(yield* send(`http://127.0.0.1:${server.port}/`)), 200)
      assert.strictEqual(said(yield* send(`http://localhost:${server.port}/`)), 200)
    }).pipe(Effect.provide(layer({ allow_private: true }))),
  )
  it.live("may be of IPv6", () =>
    Effect.gen(function* () {
      const server = yield* counting("::1")
      assert.strictEqual(said(yield* send(`http://[::1]:${server.port}/`)), 200)
    }).pipe(Effect.provide(layer({ allow_private: true }))),
  )
})

describe("a name", () => {
  it.live("is looked up once for a connection, and the connection opened to that address", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      let lookups = 0
      const resolve: Resolve = () => {
        lookups += 1
        return addresses("127.0.0.1")("")
      }
      yield* Effect.gen(function* () {
        const url = `http://receiver.test:${server.port}/`
        assert.strictEqual(said(yield* sendAndRest(url)), 200)
        assert.strictEqual(said(yield* send(url)), 200)
      }).pipe(Effect.provide(layer({ allow_private: true }, { resolve })))
      assert.deepStrictEqual([lookups, server.connections()], [1, 1])
    }),
  )
  it.live("with several addresses is reached at the one that answers", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      const answer = yield* send(`http://receiver.test:${server.port}/`).pipe(
        Effect.provide(layer({ allow_private: true }, { resolve: addresses("::1", "127.0.0.1") })),
      )
      assert.strictEqual(said(answer), 200)
    }),
  )
  it.live("with several addresses is refused when all of them are", () =>
    Effect.gen(function* () {
      const port = yield* Servers.closedPort
      const answer = yield* send(`http://receiver.test:${port}/`).pipe(
        Effect.provide(layer({ allow_private: true }, { resolve: addresses("::1", "127.0.0.1") })),
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
  const open = layer({ allow_private: true })
  it.live("are kept from one request to the next", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      for (let count = 0; count < 10; count++) yield* sendAndRest(`http://127.0.0.1:${server.port}/`)
      assert.strictEqual(server.connections(), 1)
    }).pipe(Effect.provide(open)),
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
    }).pipe(Effect.provide(open)),
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
    }).pipe(Effect.provide(open)),
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
    }).pipe(Effect.provide(open)),
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
    }).pipe(Effect.provide(open)),
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
