/** That an account has no more active API keys than it may, and that those which have ended leave room. */
import { assert } from "@effect/vitest"
import { type ApiKey, type Id, Limits } from "@tc/domain"
import { Effect, Result } from "effect"
import { ApiKeys } from "../ApiKeys.ts"
import type { Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { all, row } from "./Key.ts"

const PAST = "2020-01-01T00:00:00.000Z"
const LATE = "2099-01-01T00:00:00.000Z"

/** A key that can be used, unless the fields say otherwise. */
const keyOf = (account_id: Id.AccountId, fields: Partial<ApiKey.Row> = {}) =>
  row(account_id, { expires_at: null, ...fields })

/** Keeps so many keys, one after the other. */
const fill = (account_id: Id.AccountId, count: number, fields: Partial<ApiKey.Row> = {}) =>
  Effect.flatMap(ApiKeys, ({ create }) =>
    Effect.forEach(Array.from({ length: count }), () => create(keyOf(account_id, fields))),
  )

/** Why some of these were refused. */
const refusals = (results: ReadonlyArray<Result.Result<unknown, { readonly code: string }>>) =>
  results.flatMap((result) => (Result.isFailure(result) ? [result.failure.code] : []))

const created = (it: Tests): void => {
  it.effect("of many created at once no more are kept than an account may have active", () =>
    Effect.gen(function* () {
      const { create, list } = yield* ApiKeys
      const account_id = yield* Fixture.account
      const made = yield* Fixture.atOnce(Limits.API_KEYS_MAX + 5, () => Effect.result(create(keyOf(account_id))))
      assert.deepStrictEqual(
        refusals(made),
        Array.from({ length: 5 }, () => "too_many_api_keys"),
      )
      assert.strictEqual((yield* list(account_id, { page: 1, per_page: 1 })).meta.total, Limits.API_KEYS_MAX)
    }),
  )

  it.effect("keys that are revoked or have expired, and another account's, are not counted", () =>
    Effect.gen(function* () {
      const { create, revoke } = yield* ApiKeys
      const account_id = yield* Fixture.account
      yield* fill(yield* Fixture.account, 1)
      yield* fill(account_id, 2, { expires_at: PAST })
      yield* fill(account_id, 2, { revoked_at: PAST })
      const [first] = yield* fill(account_id, Limits.API_KEYS_MAX, { expires_at: LATE })
      yield* revoke(account_id, first!.id)
      yield* fill(account_id, 1)
      assert.strictEqual((yield* Effect.flip(create(keyOf(account_id)))).code, "too_many_api_keys")
    }),
  )

  it.effect("a key that is kept already is answered where no other could be kept", () =>
    Effect.gen(function* () {
      const { create } = yield* ApiKeys
      const account_id = yield* Fixture.account
      const key = keyOf(account_id)
      const kept = yield* create(key)
      yield* fill(account_id, Limits.API_KEYS_MAX - 1)
      assert.deepStrictEqual(yield* create({ ...keyOf(account_id), hash: key.hash }), kept)
    }),
  )
}

const replaced = (it: Tests): void => {
  it.effect("where no other could be kept, a key is replaced that ends with it, and no key that goes on", () =>
    Effect.gen(function* () {
      const { replace } = yield* ApiKeys
      const account_id = yield* Fixture.account
      const [old] = yield* fill(account_id, Limits.API_KEYS_MAX)
      const before = yield* all(account_id)
      const refused = yield* Effect.flip(replace(account_id, old!.id, keyOf(account_id), LATE))
      assert.strictEqual(refused._tag === "Conflict" ? refused.code : refused._tag, "too_many_api_keys")
      assert.deepStrictEqual(yield* all(account_id), before)
      const by = keyOf(account_id)
      assert.strictEqual((yield* replace(account_id, old!.id, by, PAST)).id, by.id)
    }),
  )

  it.effect(
    "of many that replace keys at once and let them go on, no more are kept than an account may have active",
    () =>
      Effect.gen(function* () {
        const { replace } = yield* ApiKeys
        const account_id = yield* Fixture.account
        const old = yield* fill(account_id, Limits.API_KEYS_MAX - 5)
        const results = yield* Fixture.atOnce(10, (nth) =>
          Effect.result(replace(account_id, old[nth]!.id, keyOf(account_id), LATE)),
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, 5)
      }),
  )
}

export const tests = (it: Tests): void => {
  created(it)
  replaced(it)
}
