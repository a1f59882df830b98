import { assert, describe, it } from "@effect/vitest"
import { Value } from "@tc/domain"
import { ApiKeys, type Use } from "@tc/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { KeyUse, layer } from "../../src/http/KeyUse.ts"
import { newId } from "../../src/http/Incoming.ts"
import { start } from "./Service.ts"

const unused = () => Effect.die(new Error("not called"))
const others = { create: unused, findByPrefix: unused, get: unused, list: unused, revoke: unused, replace: unused }

/** Keys that remember what was written of their use; the first `failures` writes fail. */
const remembering = (written: Array<ReadonlyArray<Use>>, failures = 0) => {
  let left = failures
  const touch = (uses: ReadonlyArray<Use>) =>
    left-- > 0 ? Effect.die(new Error("the storage is away")) : Effect.sync(() => void written.push(uses))
  return Layer.succeed(ApiKeys, { ...others, touch })
}

const [mine, theirs] = [newId(0), newId(0)]

const use = (id: string, second: number, account_id = mine): Use =>
  ({ account_id, id, last_used_at: Value.timestamp(second * 1_000) }) as Use

describe("when keys were last used", () => {
  it.effect("is written once in an interval, for all of them at once, with the latest time", () => {
    const written: Array<ReadonlyArray<Use>> = []
    return Effect.gen(function* () {
      const { note } = yield* KeyUse
      const [first, second, other] = [use("a", 1), use("a", 2), use("b", 1)]
      for (const one of [first, second, other]) note(one)
      yield* TestClock.adjust("4 seconds")
      assert.isEmpty(written)
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(written, [[second, other]])
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(written, 1)
    }).pipe(Effect.provide(layer.pipe(Layer.provide(remembering(written)))))
  })

  it.effect("is written of each of two keys that have one id in two accounts", () => {
    const written: Array<ReadonlyArray<Use>> = []
    return Effect.gen(function* () {
      const { note } = yield* KeyUse
      const uses = [use("a", 1), use("a", 2, theirs)]
      for (const one of uses) note(one)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(written, [uses])
    }).pipe(Effect.provide(layer.pipe(Layer.provide(remembering(written)))))
  })

  it.effect("goes on being written after a write that failed", () => {
    const written: Array<ReadonlyArray<Use>> = []
    return Effect.gen(function* () {
      const { note } = yield* KeyUse
      note(use("a", 1))
      yield* TestClock.adjust("5 seconds")
      const later = use("a", 6)
      note(later)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(written, [[later]])
    }).pipe(Effect.provide(layer.pipe(Layer.provide(remembering(written, 1)))))
  })

  it.effect("is not waited for when the service ends and its storage says nothing", () => {
    const keys = { ...others, touch: () => Effect.never }
    return Effect.gen(function* () {
      const used = Effect.map(KeyUse, ({ note }) => note(use("a", 1)))
      const ending = yield* Effect.forkChild(
        Effect.provide(used, layer.pipe(Layer.provide(Layer.succeed(ApiKeys, keys)))),
      )
      yield* TestClock.adjust("1 second")
      assert.isDefined(ending.pollUnsafe())
    })
  })

  it("is written when the service ends", async () => {
    const service = await start()
    assert.strictEqual((await service.send("/api/v1/stores", { headers: { "x-api-key": "nonsense" } })).status, 401)
    const { body } = await service.post("/api/v1/stores", { name: "A", platform: "swell" })
    const page = Effect.flatMap(ApiKeys, (keys) => keys.list(body.account_id, { page: 1, per_page: 20 }))
    const keys = Effect.map(page, ({ data }) => data)
    const before = Date.now()
    assert.strictEqual((await service.get("/api/v1/stores")).status, 200)
    await service.stop()
    const [{ last_used_at } = { last_used_at: null }] = await service.run(keys)
    assert.isAtLeast(Date.parse(last_used_at ?? ""), before)
  })
})
