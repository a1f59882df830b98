import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Resolve } from "../../src/node/Resolver.ts"
import { addresses, counting, layer, open, said, send } from "./Sending.ts"
import { hasIPv6 } from "./Servers.ts"

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
  // Written so that something on the way may read it otherwise.
  `https://①②⑦.⓪.⓪.①:${port}/`,
  `https://%31%32%37.0.0.1:${port}/`,
  `https://127.0.0.1.:${port}/`,
  `https://017700000001:${port}/`,
  `https://[fe80::1]:${port}/`,
  `https://[fe80::1%25lo]:${port}/`,
  `https://localhost@127.0.0.1:${port}/`,
  `https://receiver.example:${port}@127.0.0.1/`,
  `https://receiver.example:0/`,
  `https://127.0.0.1\\@receiver.example:${port}/`,
  `https://receiver.example/\r\nHost: 127.0.0.1`,
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
  it.live.skipIf(!hasIPv6)("are tried no more than eight for a name, so that nobody can have others knocked at", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      const knock = (closed: number) =>
        send(`http://receiver.test:${server.port}/`).pipe(
          Effect.provide(open({}, { resolve: addresses(...Array.from({ length: closed }, () => "::1"), "127.0.0.1") })),
        )
      assert.strictEqual(said(yield* knock(7)), 200)
      assert.strictEqual(said(yield* knock(8)), "connection_refused")
      assert.strictEqual(server.connections(), 1)
    }),
  )
  it.live("are allowed by a setting", () =>
    Effect.gen(function* () {
      const server = yield* counting()
      assert.strictEqual(said(yield* send(`http://127.0.0.1:${server.port}/`)), 200)
      assert.strictEqual(said(yield* send(`http://localhost:${server.port}/`)), 200)
    }).pipe(Effect.provide(layer({ allow_private: true }))),
  )
  it.live.skipIf(!hasIPv6)("may be of IPv6", () =>
    Effect.gen(function* () {
      const server = yield* counting("::1")
      assert.strictEqual(said(yield* send(`http://[::1]:${server.port}/`)), 200)
    }).pipe(Effect.provide(layer({ allow_private: true }))),
  )
})
