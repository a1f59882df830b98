/** That a key takes the place of another in one step. */
import { assert } from "@effect/vitest"
import type { ApiKey } from "@tc/domain"
import { Effect, Result } from "effect"
import { ApiKeys } from "../ApiKeys.ts"
import type { Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { all, row, shown } from "./Key.ts"

const PAST = "2020-01-01T00:00:00.000Z"
/** Times to come, the earlier first. */
const [SOON, LATE] = ["2098-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z"]

/** A key that is kept, with a time at which it ends. */
const kept = (expires_at: string | null) =>
  Effect.gen(function* () {
    const key = row(yield* Fixture.account, { expires_at })
    yield* (yield* ApiKeys).create(key)
    return key
  })

const replaced = (old: ApiKey.Row, by: ApiKey.Row, until: string) =>
  Effect.flatMap(ApiKeys, ({ replace }) => replace(old.account_id, old.id, by, until))

const found = ({ prefix }: ApiKey.Row) => Effect.flatMap(ApiKeys, ({ findByPrefix }) => findByPrefix(prefix))

const ends = (it: Tests): void => {
  it.effect("a key that takes the place of another is kept as it is given and shown without its hash", () =>
    Effect.gen(function* () {
      const old = yield* kept(LATE)
      const by = row(old.account_id, { name: "In its place" })
      assert.deepStrictEqual(yield* replaced(old, by, SOON), shown(by))
      assert.deepStrictEqual(yield* found(by), [by])
    }),
  )

  for (const [what, expires_at] of [
    ["ends later", LATE],
    ["never ends", null],
  ] as const) {
    it.effect(`a key that ${what} ends when it was replaced until`, () =>
      Effect.gen(function* () {
        const old = yield* kept(expires_at)
        yield* replaced(old, row(old.account_id), SOON)
        assert.deepStrictEqual(yield* found(old), [{ ...old, expires_at: SOON }])
      }),
    )
  }

  it.effect("a key that ends sooner than it was replaced until ends as before", () =>
    Effect.gen(function* () {
      const old = yield* kept(SOON)
      yield* replaced(old, row(old.account_id), LATE)
      assert.deepStrictEqual(yield* found(old), [old])
    }),
  )

  it.effect("of many that replace a key at once and leave it no time, one does", () =>
    Effect.gen(function* () {
      const old = yield* kept(null)
      const results = yield* Fixture.atOnce(10, () => Effect.result(replaced(old, row(old.account_id), PAST)))
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      assert.strictEqual((yield* all(old.account_id)).length, 2)
    }),
  )
}

const refused = (it: Tests): void => {
  it.effect("a key that has expired is not replaced, and nothing is kept", () =>
    Effect.gen(function* () {
      const old = yield* kept(PAST)
      const error = yield* Effect.flip(replaced(old, row(old.account_id), LATE))
      assert.strictEqual(error._tag === "Conflict" ? error.code : error._tag, "key_not_active")
      assert.deepStrictEqual(yield* all(old.account_id), [shown(old)])
    }),
  )

  it.effect("a key that is revoked is not replaced, and nothing is kept", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const old = yield* kept(null)
      const revoked = yield* keys.revoke(old.account_id, old.id)
      const error = yield* Effect.flip(replaced(old, row(old.account_id), LATE))
      assert.strictEqual(error._tag === "Conflict" ? error.code : error._tag, "key_not_active")
      assert.deepStrictEqual(yield* all(old.account_id), [revoked])
    }),
  )

  it.effect("a key that is not there, or another account's, is not replaced but NotFound, and nothing is kept", () =>
    Effect.gen(function* () {
      const old = yield* kept(null)
      const stranger = yield* Fixture.account
      const by = row(stranger)
      for (const wrong of [
        { ...old, account_id: stranger },
        { ...old, id: by.id },
      ]) {
        assert.strictEqual((yield* Effect.flip(replaced(wrong, by, SOON)))._tag, "NotFound")
      }
      assert.deepStrictEqual(yield* found(old), [old])
      assert.deepStrictEqual(yield* all(stranger), [])
    }),
  )

  it.effect("a key is replaced in its own account only, also where another has the same id", () =>
    Effect.gen(function* () {
      const old = yield* kept(null)
      const foreign = row(yield* Fixture.account, { id: old.id })
      yield* (yield* ApiKeys).create(foreign)
      yield* replaced(old, row(foreign.account_id), SOON)
      assert.deepStrictEqual(yield* all(foreign.account_id), [shown(foreign)])
      assert.strictEqual((yield* all(old.account_id)).length, 2)
    }),
  )
}

export const tests = (it: Tests): void => {
  ends(it)
  refused(it)
}
