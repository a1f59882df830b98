/** What is kept of API keys, and that a revoked one stays revoked. */
import { assert } from "@effect/vitest"
import { ApiKey, Id } from "@tc/domain"
import { Effect } from "effect"
import { ApiKeys } from "../ApiKeys.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as KeyLimit from "./KeyLimit.ts"
import { all, row, shown } from "./Key.ts"
import * as Rotation from "./Rotation.ts"

const kept = (it: Tests): void => {
  it.effect("a key is kept as it is given and shown without its hash", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const key = row(yield* Fixture.account)
      assert.deepStrictEqual(yield* keys.create(key), shown(key))
      assert.deepStrictEqual(yield* keys.findByPrefix(key.prefix), [key])
      assert.deepStrictEqual(yield* all(key.account_id), [shown(key)])
    }),
  )

  it.effect("a key with the same hash is kept once, as it was", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const key = row(yield* Fixture.account)
      const again = { ...row(key.account_id), hash: key.hash, prefix: key.prefix, name: "Again" }
      yield* keys.create(key)
      assert.deepStrictEqual(yield* keys.create(again), shown(key))
      assert.deepStrictEqual(yield* all(key.account_id), [shown(key)])
    }),
  )

  it.effect("a key that many keep at once is kept once", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const key = row(yield* Fixture.account)
      const answers = yield* Fixture.atOnce(10, () =>
        keys.create({ ...key, id: Id.ApiKeyId.id.make(crypto.randomUUID()) }),
      )
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, 1)
      assert.strictEqual((yield* all(key.account_id)).length, 1)
    }),
  )

  it.effect("keys are found by their prefix in any account", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = row(yield* Fixture.account)
      const second = row(yield* Fixture.account, { prefix: first.prefix })
      yield* keys.create(first)
      yield* keys.create(second)
      const found = yield* keys.findByPrefix(first.prefix)
      assert.deepStrictEqual(found.map(({ hash }) => hash).toSorted(), [first.hash, second.hash].toSorted())
      assert.deepStrictEqual(yield* keys.findByPrefix("not-there"), [])
    }),
  )

  it.effect("keys of two accounts have nothing to do with each other, also where their ids are the same", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = row(yield* Fixture.account)
      const second = row(yield* Fixture.account, { id: first.id })
      yield* keys.create(first)
      yield* keys.create(second)
      const last_used_at = "2026-11-01T13:00:00.000Z"
      yield* keys.touch([{ account_id: second.account_id, id: second.id, last_used_at }])
      yield* keys.revoke(second.account_id, second.id)
      assert.deepStrictEqual(yield* keys.findByPrefix(first.prefix), [first])
      assert.deepStrictEqual(yield* all(first.account_id), [shown(first)])
      assert.strictEqual((yield* all(second.account_id))[0]?.last_used_at, last_used_at)
    }),
  )

  it.effect("the keys of an account are listed newest first, revoked ones included", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account_id = yield* Fixture.account
      const older = row(account_id, { created_at: "2026-11-01T12:00:00.001Z", name: "older" })
      const newer = row(account_id, { created_at: "2026-11-01T12:00:00.002Z", name: "newer" })
      const foreign = row(yield* Fixture.account)
      for (const key of [newer, older, foreign]) yield* keys.create(key)
      yield* keys.revoke(account_id, newer.id)
      assert.deepStrictEqual(
        (yield* all(account_id)).map(({ name }) => name),
        ["newer", "older"],
      )
    }),
  )

  it.effect("the keys of an account are listed in pages with the total, those made at one instant by their ids", () =>
    Effect.gen(function* () {
      const { create, list } = yield* ApiKeys
      const account_id = yield* Fixture.account
      const rows = Array.from({ length: 5 }, () => row(account_id)).toSorted((one, other) =>
        one.id < other.id ? 1 : -1,
      )
      for (const key of rows) yield* create(key)
      yield* create(row(yield* Fixture.account))
      const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => list(account_id, { page, per_page: 2 }))
      const shownBy = (from: number, until: number) => rows.slice(from, until).map(shown)
      assert.deepStrictEqual(
        pages.map(({ data }) => data),
        [shownBy(0, 2), shownBy(2, 4), shownBy(4, 5), []],
      )
      assert.deepStrictEqual(pages[1]?.meta, { page: 2, per_page: 2, total: 5, total_pages: 3 })
    }),
  )

  it.effect("a key is got by its id, in its own account alone", () =>
    Effect.gen(function* () {
      const { create, get } = yield* ApiKeys
      const key = row(yield* Fixture.account)
      yield* create(key)
      assert.deepStrictEqual(yield* get(key.account_id, key.id), shown(key))
      assert.strictEqual((yield* Effect.flip(get(yield* Fixture.account, key.id)))._tag, "NotFound")
    }),
  )
}

const revoked = (it: Tests): void => {
  it.effect("a key is revoked for good, at the time it was revoked first", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const key = row(yield* Fixture.account)
      yield* keys.create(key)
      const first = yield* keys.revoke(key.account_id, key.id)
      assert.isNotNull(first.revoked_at)
      yield* Fixture.later
      assert.deepStrictEqual(yield* keys.revoke(key.account_id, key.id), first)
      assert.deepStrictEqual(yield* keys.findByPrefix(key.prefix), [{ ...key, revoked_at: first.revoked_at }])
    }),
  )

  it.effect("a key that is not there, or another account's, is NotFound", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const key = row(yield* Fixture.account)
      yield* keys.create(key)
      const stranger = yield* Fixture.account
      assert.strictEqual((yield* Effect.flip(keys.revoke(stranger, key.id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(keys.revoke(key.account_id, crypto.randomUUID())))._tag, "NotFound")
      assert.deepStrictEqual(yield* keys.findByPrefix(key.prefix), [key])
    }),
  )
}

const at = (minute: number) => `2026-11-01T13:0${minute}:00.000Z`

const used = (it: Tests): void => {
  it.effect("the latest use of each key is kept, an older one changes nothing", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account_id = yield* Fixture.account
      const [first, second] = [row(account_id, { name: "first" }), row(account_id, { name: "second" })]
      for (const key of [first, second]) yield* keys.create(key)
      const use = ({ id }: ApiKey.Row, minute: number) => ({ account_id, id, last_used_at: at(minute) })
      yield* keys.touch([use(first, 2), use(second, 3)])
      yield* keys.touch([use(first, 1), use(second, 4)])
      const uses = new Map((yield* all(account_id)).map(({ name, last_used_at }) => [name, last_used_at]))
      assert.deepStrictEqual([uses.get("first"), uses.get("second")], [at(2), at(4)])
    }),
  )

  it.effect("a use of no key, or of one that is not there, is no mistake", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const key = row(yield* Fixture.account)
      yield* keys.create(key)
      const last_used_at = "2026-11-01T13:00:00.000Z"
      yield* keys.touch([])
      yield* keys.touch([{ account_id: yield* Fixture.account, id: key.id, last_used_at }])
      assert.deepStrictEqual(yield* keys.findByPrefix(key.prefix), [key])
    }),
  )
}

export const tests = (it: Tests): void => {
  kept(it)
  revoked(it)
  used(it)
  KeyLimit.tests(it)
  Rotation.tests(it)
}

export const suite: Suite = suiteOf("ApiKeys", tests)
