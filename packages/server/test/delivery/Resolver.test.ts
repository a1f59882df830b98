import { assert, describe, it } from "@effect/vitest"
import * as Resolver from "../../src/node/Resolver.ts"

const refuse = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

/** Name servers that answer as told, and a system that knows one address; both say what they were asked. */
const make = (v4: () => Promise<ReadonlyArray<string>>, v6: () => Promise<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const resolve = Resolver.make({
    ask: (hostname, family) => {
      asked.push(`${hostname} ${family}`)
      return family === 4 ? v4() : v6()
    },
    system: async (hostname) => {
      asked.push(`${hostname} system`)
      return [{ address: "192.0.2.9", family: 4 }]
    },
  })
  return { asked, resolve }
}

describe("a name", () => {
  it("has the addresses of both families", async () => {
    const { resolve } = make(
      async () => ["192.0.2.1", "192.0.2.2"],
      async () => ["2001:db8::1"],
    )
    assert.deepStrictEqual(await resolve("receiver.example"), [
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ])
  })
  it("may have addresses of one family only", async () => {
    const { resolve } = make(
      () => refuse("ENODATA"),
      async () => ["2001:db8::1"],
    )
    assert.deepStrictEqual(await resolve("receiver.example"), [{ address: "2001:db8::1", family: 6 }])
  })
  it("that no name server knows is asked of the system", async () => {
    const { asked, resolve } = make(
      () => refuse("ENOTFOUND"),
      () => refuse("ENOTFOUND"),
    )
    assert.deepStrictEqual(await resolve("receiver.example"), [{ address: "192.0.2.9", family: 4 }])
    assert.include(asked, "receiver.example system")
  })
  it("whose name servers do not answer is not asked of the system, whose look-ups can hold up others", async () => {
    const { asked, resolve } = make(
      () => refuse("ETIMEOUT"),
      () => refuse("ENODATA"),
    )
    const error = await resolve("receiver.example").catch((reason: unknown) => reason)
    assert.propertyVal(error, "code", "ETIMEOUT")
    assert.notInclude(asked, "receiver.example system")
  })
  for (const hostname of ["localhost", "app.localhost", "localhost.", "receiver"]) {
    it(`of this machine or its network, ${hostname}, is asked of the system alone`, async () => {
      const { asked, resolve } = make(
        async () => ["192.0.2.1"],
        async () => [],
      )
      await resolve(hostname)
      assert.deepStrictEqual(asked, [`${hostname} system`])
    })
  }
  it("is asked of the system with no more than one other at a time, and given up after a while", async () => {
    const asked: Array<string> = []
    const answer = Promise.withResolvers<void>()
    const resolve = Resolver.make(
      {
        ask: () => refuse("ENOTFOUND"),
        system: async (hostname) => {
          asked.push(hostname)
          await answer.promise
          return [{ address: "192.0.2.9", family: 4 }]
        },
      },
      20,
    )
    const names = ["a.example", "b.example", "c.example"]
    const results = await Promise.allSettled(names.map(resolve))
    assert.deepStrictEqual(
      results.map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    )
    assert.deepStrictEqual(asked, ["a.example", "b.example"])
    answer.resolve()
    assert.strictEqual((await resolve("d.example"))[0]?.address, "192.0.2.9")
    assert.deepStrictEqual(asked, ["a.example", "b.example", "d.example"])
  })
  it("is asked of the system when its turn comes", async () => {
    const { resolve } = make(
      () => refuse("ENOTFOUND"),
      () => refuse("ENOTFOUND"),
    )
    const names = Array.from({ length: 10 }, (_, nth) => `${nth}.example`)
    assert.strictEqual((await Promise.all(names.map(resolve))).length, 10)
  })
  it("is looked up once for all who ask at the same time, and anew for those who ask later", async () => {
    const { asked, resolve } = make(
      async () => ["192.0.2.1"],
      async () => [],
    )
    await Promise.all([resolve("a.example"), resolve("a.example"), resolve("b.example")])
    assert.strictEqual(asked.length, 4)
    await resolve("a.example")
    assert.strictEqual(asked.length, 6)
  })
})
