/** Tokens with which members choose another password: part of the suite of members. */
import { assert } from "@effect/vitest"
import type { Member } from "@tc/domain"
import { Effect, Result } from "effect"
import { Members } from "../Members.ts"
import type { Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { at, LATE, member, open, session } from "./Membership.ts"

/** A member with a session, and the token with which they may choose another password. */
const offered = Effect.gen(function* () {
  const ada: Member.Row = yield* member(yield* Fixture.account)
  const opened = yield* session(ada)
  const reset = { token_hash: Fixture.unique("token"), expires_at: LATE }
  yield* (yield* Members).offerReset(ada.account_id, ada.id, reset)
  return { ada, opened, ...reset }
})

export const tests = (it: Tests): void => {
  it.effect("with a token a member has another password, once, and all their sessions end", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const { ada, opened, token_hash } = yield* offered
      assert.strictEqual((yield* members.findByReset(token_hash, at(0)))?.id, ada.id)
      const results = yield* Fixture.atOnce(5, (nth) => Effect.result(members.reset(token_hash, `hash ${nth}`)))
      const [chosen, ...more] = results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
      assert.deepStrictEqual([chosen?.id, more], [ada.id, []])
      const { password_hash } = yield* members.get(ada.account_id, ada.id)
      assert.strictEqual(password_hash, `hash ${results.findIndex(Result.isSuccess)}`)
      assert.deepStrictEqual(yield* open([opened]), [])
      assert.isNull(yield* members.findByReset(token_hash, at(0)))
    }),
  )

  it.effect("a token for another password is good until its time is over", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const { ada } = yield* offered
      const token_hash = Fixture.unique("token")
      yield* members.offerReset(ada.account_id, ada.id, { token_hash, expires_at: at(10) })
      assert.isNotNull(yield* members.findByReset(token_hash, at(9)))
      assert.isNull(yield* members.findByReset(token_hash, at(10)))
      assert.strictEqual((yield* Effect.flip(members.reset(token_hash, "hash")))._tag, "NotFound")
      assert.strictEqual((yield* members.get(ada.account_id, ada.id)).password_hash, ada.password_hash)
    }),
  )

  it.effect("a token for another password ends with the next one, with a new password, and with its member", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const [replaced, changed, removed] = [yield* offered, yield* offered, yield* offered]
      const next = { token_hash: Fixture.unique("token"), expires_at: LATE }
      yield* members.offerReset(replaced.ada.account_id, replaced.ada.id, next)
      yield* members.setPassword(
        changed.ada.account_id,
        changed.ada.id,
        { from: changed.ada.password_hash, to: "another hash" },
        null,
      )
      yield* member(removed.ada.account_id)
      yield* members.remove(removed.ada.account_id, removed.ada.id)
      for (const { token_hash } of [replaced, changed, removed]) {
        assert.isNull(yield* members.findByReset(token_hash, at(0)))
      }
      assert.isNotNull(yield* members.findByReset(next.token_hash, at(0)))
    }),
  )

  it.effect("a password that was given before a token was used replaces nothing after", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const { ada, opened, token_hash } = yield* offered
      yield* members.reset(token_hash, "chosen")
      const change = { from: ada.password_hash, to: "another" }
      assert.strictEqual(
        (yield* Effect.flip(members.setPassword(ada.account_id, ada.id, change, opened.id)))._tag,
        "NotFound",
      )
      assert.strictEqual((yield* members.get(ada.account_id, ada.id)).password_hash, "chosen")
    }),
  )

  it.effect("a token is for nobody of another account", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const { ada, token_hash } = yield* offered
      const stranger = yield* Fixture.account
      const reset = { token_hash: Fixture.unique("token"), expires_at: LATE }
      assert.strictEqual((yield* Effect.flip(members.offerReset(stranger, ada.id, reset)))._tag, "NotFound")
      assert.isNull(yield* members.findByReset(reset.token_hash, at(0)))
      assert.isNotNull(yield* members.findByReset(token_hash, at(0)))
    }),
  )
}
