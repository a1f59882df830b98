/** That accounts have names of their own, and that the storage answers. */
import { assert } from "@effect/vitest"
import { Id } from "@tc/domain"
import { Effect, Result } from "effect"
import { Accounts } from "../Accounts.ts"
import { Storage } from "../Storage.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

export const tests = (it: Tests): void => {
  it.effect("an account is found by the name it was created with", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const account = yield* accounts.create(Fixture.unique("account"))
      assert.deepStrictEqual(yield* accounts.getByName(account.name), account)
    }),
  )

  it.effect("an account is found by its id", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const account = yield* accounts.create(Fixture.unique("account"))
      yield* accounts.create(Fixture.unique("account"))
      assert.deepStrictEqual(yield* accounts.get(account.id), account)
    }),
  )

  it.effect("an id that no account has is NotFound", () =>
    Effect.gen(function* () {
      const id = Id.AccountId.id.make(crypto.randomUUID())
      const error = yield* Effect.flip((yield* Accounts).get(id))
      assert.deepStrictEqual([error._tag, error.message], ["NotFound", `There is no account with the id ${id}.`])
    }),
  )

  it.effect("a name in use is a Conflict, also when many ask at once", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const name = Fixture.unique("account")
      const results = yield* Fixture.atOnce(10, () => Effect.result(accounts.create(name)))
      const codes = results.flatMap((result) => (Result.isFailure(result) ? [result.failure.code] : []))
      assert.deepStrictEqual(
        codes,
        Array.from({ length: 9 }, () => "name_taken" as const),
      )
    }),
  )

  it.effect("a name that nobody has is NotFound", () =>
    Effect.gen(function* () {
      const name = Fixture.unique("nobody")
      const error = yield* Effect.flip((yield* Accounts).getByName(name))
      assert.deepStrictEqual([error._tag, error.message], ["NotFound", `There is no account named ${name}.`])
    }),
  )

  it.effect("ensure makes an account once, also when many ask at once", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const name = Fixture.unique("account")
      const answers = yield* Fixture.atOnce(20, () => accounts.ensure(name))
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, 1)
      assert.deepStrictEqual(yield* accounts.ensure(name), yield* accounts.getByName(name))
    }),
  )

  it.effect("accounts are listed oldest first", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const first = yield* accounts.create(Fixture.unique("account"))
      yield* Fixture.later
      const second = yield* accounts.create(Fixture.unique("account"))
      const mine = (yield* accounts.list).filter(({ id }) => id === first.id || id === second.id)
      assert.deepStrictEqual(mine, [first, second])
    }),
  )

  it.effect("a storage that answers is ready", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* (yield* Storage).ready)
    }),
  )
}

export const suite: Suite = suiteOf("Accounts", tests)
