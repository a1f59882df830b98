import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import * as Records from "./Records.ts"
import { start, type Answer } from "./Service.ts"

/** Receivers that answer once they are let. */
const latch = Latch.makeUnsafe(false)
const service = await start({ receiving: latch.await })
afterAll(() => service.stop())

const at = "/api/v1/webhook_endpoints"
const create = async () => (await service.post(at, { ...Records.endpoint, events: ["store.created"] })).body.id
const test = (id: string) => service.post(`${at}/${id}/test`)
const said = ({ status, body }: Answer) => [status, body.code]
const refused = [503, "service_unavailable"]

const until = async (isSo: () => boolean) => {
  while (!isSo()) await Effect.runPromise(Effect.sleep(1))
}

describe("tests of endpoints", () => {
  it("are refused beyond two of one endpoint at a time, and beyond 32 in all", async () => {
    const first = await create()
    const two = [test(first), test(first)]
    await until(() => service.sent.length === 2)
    const third = await test(first)
    assert.deepStrictEqual(said(third), refused)
    assert.strictEqual(third.headers.get("retry-after"), "5")

    const others = await Promise.all(Array.from({ length: 15 }, create))
    const thirty = [...others, ...others].map(test)
    await until(() => service.sent.length === 32)
    assert.deepStrictEqual(said(await test(await create())), refused)

    await Effect.runPromise(latch.open)
    for (const { status } of await Promise.all([...two, ...thirty])) assert.strictEqual(status, 200)
    assert.strictEqual((await test(first)).status, 200)
  })
})

/** A service whose receivers never answer, and tests of one endpoint of it. */
const hanging = async () => {
  let brokenOff = 0
  const receiving = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (brokenOff += 1)))
  const service = await start({ receiving })
  const { id } = (await service.post(at, Records.endpoint)).body
  const headers = { authorization: `Bearer ${service.key}` }
  const test = (signal: AbortSignal | null = null) =>
    service.send(`${at}/${id}/test`, { method: "POST", headers, signal }).catch(() => undefined)
  return { service, test, brokenOff: () => brokenOff }
}

describe("a test that does not end", () => {
  it("gives up its place when its caller goes", async () => {
    const { service, test, brokenOff } = await hanging()
    const callers = new AbortController()
    const two = [test(callers.signal), test(callers.signal)]
    await until(() => service.sent.length === 2)
    callers.abort()
    await Promise.all(two)
    await until(() => brokenOff() === 2)
    void test()
    await until(() => service.sent.length === 3)
    assert.strictEqual(brokenOff(), 2)
    await service.stop()
  })
  it("is broken off when the service ends", async () => {
    const { service, test, brokenOff } = await hanging()
    void test()
    await until(() => service.sent.length === 1)
    await service.stop()
    assert.strictEqual(brokenOff(), 1)
  })
})
