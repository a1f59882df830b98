import { assert, describe, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import { WebhookEndpoints } from "@tc/store"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Lane from "../../src/Lane.ts"
import { Quarantine } from "../../src/Quarantine.ts"
import { SecretBox } from "../../src/SecretBox.ts"
import * as World from "./World.ts"

const A = "https://a.example/"
const B = "https://b.example/"
const MINUTE = 60_000

/** Secrets of which `lost` cannot be decrypted here. */
const boxWithout = (lost: ReadonlyArray<string>) => {
  const tries: Array<string> = []
  const decrypt = (stored: string) =>
    Effect.suspend(() => {
      tries.push(stored)
      return lost.includes(stored) ? Effect.die(new Error("cannot be decrypted")) : Effect.succeed(stored)
    })
  return { tries, layer: Layer.succeed(SecretBox, { encrypt: Effect.succeed, decrypt }) }
}

/** Two endpoints with five deliveries each, and a dispatcher that cannot read the secret of the first. */
const begin = Effect.fnUntraced(function* (receivers: ReturnType<typeof World.receivers>) {
  const account_id = yield* World.account
  const [a, b] = [yield* World.endpoint(account_id, A), yield* World.endpoint(account_id, B)]
  yield* World.happen(account_id, 5)
  const box = boxWithout([a.secret])
  yield* World.start(receivers.layer, { per_endpoint: 2 }, box.layer)
  return { account_id, a, b, box }
})

describe("an endpoint whose secret cannot be decrypted", () => {
  it.effect("is tried now and then only, keeps its deliveries, and does not pay for it", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const { account_id, a, box } = yield* begin(receivers)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([receivers.at(A).length, receivers.at(B).length], [0, 5])
      assert.isAtMost(box.tries.filter((secret) => secret === a.secret).length, 7 * 2)
      const all = (yield* World.deliveries(account_id)).filter(({ endpoint_id }) => endpoint_id === a.id)
      assert.deepStrictEqual(
        all.map(({ attempt_count, attempts }) => [attempt_count, attempts.length]),
        Array.from({ length: 5 }, () => [0, 0]),
      )
      const { consecutive_failures, status } = yield* (yield* WebhookEndpoints).get(account_id, a.id)
      assert.deepStrictEqual([consecutive_failures, status], [0, "active"])
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("gets its deliveries from a process that has the key", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      yield* begin(receivers)
      yield* TestClock.adjust("1 minute")
      yield* World.start(receivers.layer)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(receivers.at(A).length, 5)
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("is tried at once when it was changed", () => {
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const { a, box } = yield* begin(receivers)
      yield* TestClock.adjust("2 minutes")
      const before = box.tries.length
      yield* World.change(a, { url: B })
      yield* TestClock.adjust("2 seconds")
      assert.isAbove(box.tries.length, before)
    }).pipe(Effect.provide(World.storage))
  })
  it.effect("is told of in the log, with a delivery and the setting that may be wrong", () => {
    const lines: Array<string> = []
    const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const receivers = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const { account_id, a } = yield* begin(receivers)
      yield* TestClock.adjust("5 minutes")
      const told = lines.filter((line) => line.includes("TC_SECRET_KEY"))
      assert.strictEqual(told.length, 1)
      const ids = (yield* World.deliveries(account_id)).flatMap(({ endpoint_id, id }) =>
        endpoint_id === a.id ? id : [],
      )
      assert.isTrue(ids.some((id) => told[0]?.includes(id)))
      assert.notInclude(lines.join(), a.secret)
    }).pipe(Effect.provide(World.storage.pipe(Layer.provideMerge(log))))
  })
})

const endpoint = (nth: number) => ({
  account_id: Id.AccountId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000001"),
  endpoint_id: Id.WebhookEndpointId.id.make(`0198a3f0-7c1e-7b6a-9d55-${String(nth).padStart(12, "0")}`),
})

describe("a quarantine", () => {
  it("lasts ten minutes, and longer for nobody who is added again", () => {
    const quarantine = new Quarantine()
    assert.isTrue(quarantine.add(endpoint(1), 0))
    assert.isFalse(quarantine.add(endpoint(1), 9 * MINUTE))
    assert.deepStrictEqual(quarantine.list(10 * MINUTE - 1), [endpoint(1)])
    assert.deepStrictEqual(quarantine.list(10 * MINUTE), [])
    assert.isTrue(quarantine.add(endpoint(1), 10 * MINUTE))
  })
  it("ends early where it is told so", () => {
    const quarantine = new Quarantine()
    for (const nth of [1, 2]) quarantine.add(endpoint(nth), 0)
    quarantine.remove(Lane.nameOf(endpoint(1)))
    assert.deepStrictEqual(quarantine.list(0), [endpoint(2)])
  })
  it("holds the latest thousand", () => {
    const quarantine = new Quarantine()
    for (let nth = 0; nth < 1_001; nth++) quarantine.add(endpoint(nth), 0)
    const held = quarantine.list(0)
    assert.deepStrictEqual([held.length, held[0]], [1_000, endpoint(1)])
  })
})
