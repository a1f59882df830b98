/** First starts, also two at once, and the operator's key. */
import { assert, it } from "@effect/vitest"
import { Account, Limits } from "@tc/domain"
import { Accounts, ApiKeys, layerMemory } from "@tc/store"
import { Effect, Fiber, Latch, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Bootstrap from "../src/Bootstrap.ts"

const ofDefault = Effect.gen(function* () {
  const { id } = yield* (yield* Accounts).getByName(Account.DEFAULT_NAME)
  return (yield* (yield* ApiKeys).list(id, { page: 1, per_page: 100 })).data
})

it.effect("a start makes a key for the account that it makes, and later ones make none", () =>
  Effect.gen(function* () {
    const { account_id, key } = yield* Bootstrap.run(null)
    assert.match(key ?? "", /^tc_[0-9a-f]{64}$/)
    assert.deepStrictEqual(yield* Bootstrap.run(null), { account_id, key: null })
    assert.lengthOf(yield* ofDefault, 1)
  }).pipe(Effect.provide(layerMemory)),
)

it.effect("a second process, which starts before the first has made its key, makes none", () =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const looked = yield* Latch.make()
    const slow = {
      ...keys,
      create: (row: Parameters<typeof keys.create>[0]) => Effect.andThen(looked.await, keys.create(row)),
    }
    const eager = {
      ...keys,
      list: (...given: Parameters<typeof keys.list>) => Effect.tap(keys.list(...given), looked.open),
    }
    const one = yield* Effect.forkChild(Effect.provideService(Bootstrap.run(null), ApiKeys, slow), {
      startImmediately: true,
    })
    const other = yield* Effect.forkChild(Effect.provideService(Bootstrap.run(null), ApiKeys, eager), {
      startImmediately: true,
    })
    yield* TestClock.adjust("1 second")
    assert.isNotNull((yield* Fiber.join(one)).key)
    assert.isNull((yield* Fiber.join(other)).key)
    assert.lengthOf(yield* ofDefault, 1)
  }).pipe(Effect.provide(layerMemory)),
)

it.effect("an account without a key gets one, should the process that made it have ended before that", () =>
  Effect.gen(function* () {
    yield* (yield* Accounts).create(Account.DEFAULT_NAME)
    const start = yield* Effect.forkChild(Bootstrap.run(null))
    yield* TestClock.adjust("10 seconds")
    assert.isNotNull((yield* Fiber.join(start)).key)
  }).pipe(Effect.provide(layerMemory)),
)

/** What a start with a key of the operator's warns of. */
const warnings = Effect.suspend(() => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => lines.push(String(message)))
  const start = Bootstrap.run(`tc_${"0123456789abcdef".repeat(4)}`)
  return Effect.as(Effect.provide(start, Logger.layer([logger])), lines)
})

it.effect("the operator's key is kept once, without a word", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual([yield* warnings, yield* warnings], [[], []])
    assert.lengthOf(yield* ofDefault, 1)
  }).pipe(Effect.provide(layerMemory)),
)

it.effect("the operator's key stays revoked once it was, and each start warns of that", () =>
  Effect.gen(function* () {
    yield* warnings
    for (const { account_id, id } of yield* ofDefault) yield* (yield* ApiKeys).revoke(account_id, id)
    assert.match((yield* warnings).join("\n"), /was revoked/)
    assert.match((yield* warnings).join("\n"), /was revoked/)
    assert.isNotNull((yield* ofDefault)[0]?.revoked_at)
  }).pipe(Effect.provide(layerMemory)),
)

it.effect("the operator's key is not kept beside as many as there may be, the start warns of that, and goes on", () =>
  Effect.gen(function* () {
    const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
    const request = { account_id, name: "Shop", scopes: ["read"], expires_at: null } as const
    yield* Effect.replicateEffect(Bootstrap.createKey(request), Limits.API_KEYS_MAX)
    assert.match((yield* warnings).join("\n"), /not kept: 100 API keys/)
    assert.lengthOf(yield* ofDefault, Limits.API_KEYS_MAX)
  }).pipe(Effect.provide(layerMemory)),
)
