/** That an account keeps an owner, however many go at once. */
import { assert } from "@effect/vitest"
import type { Id } from "@tc/domain"
import { Effect, Result } from "effect"
import { Invitations } from "../Invitations.ts"
import { Members } from "../Members.ts"
import type { Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { at, invitation, LATE, member, open, session, shown } from "./Membership.ts"

/** How an owner stops being one. */
const ways = {
  "is given another role": (account_id: Id.AccountId, id: Id.MemberId) =>
    Effect.flatMap(Members, ({ setRole }) => Effect.asVoid(setRole(account_id, id, "developer"))),
  "is removed": (account_id: Id.AccountId, id: Id.MemberId) =>
    Effect.flatMap(Members, ({ remove }) => remove(account_id, id)),
} as const

const goes = Object.values(ways)

export const tests = (it: Tests): void => {
  for (const [what, go] of Object.entries(ways)) {
    it.effect(`the last owner of an account stays, and stays signed in, when one ${what}`, () =>
      Effect.gen(function* () {
        const ada = yield* member(yield* Fixture.account)
        const bob = yield* member(ada.account_id, { role: "developer" })
        // An owner elsewhere does not count.
        yield* member(yield* Fixture.account)
        const opened = yield* session(ada)
        const error = yield* Effect.flip(go(ada.account_id, ada.id))
        assert.strictEqual(error._tag === "Conflict" ? error.code : error._tag, "last_owner")
        const kept = { ...shown(ada), last_seen_at: opened.last_seen_at }
        const members = yield* (yield* Members).list(ada.account_id)
        assert.sameDeepMembers([...members], [kept, shown(bob)])
        assert.deepStrictEqual(yield* open([opened]), [opened])
      }),
    )

    it.effect(`the invitations of an owner who ${what} are revoked, and no others`, () =>
      Effect.gen(function* () {
        const ada = yield* member(yield* Fixture.account)
        const bob = yield* member(ada.account_id)
        const mine = yield* invitation(ada.account_id, { invited_by: ada.id })
        const elsewhere = yield* invitation(yield* Fixture.account, { invited_by: bob.id })
        yield* invitation(ada.account_id, { invited_by: bob.id })
        yield* go(ada.account_id, bob.id)
        const { list } = yield* Invitations
        const left = yield* Effect.forEach([mine, elsewhere], ({ account_id }) => list(account_id, at(30)))
        assert.deepStrictEqual(
          left.flat().map(({ id }) => id),
          [mine.id, elsewhere.id],
        )
      }),
    )

    it.effect(`no token for another password is good once an owner ${what}, but of another account`, () =>
      Effect.gen(function* () {
        const { findByReset, offerReset } = yield* Members
        const ada = yield* member(yield* Fixture.account)
        const [bob, grace] = [yield* member(ada.account_id), yield* member(ada.account_id, { role: "developer" })]
        const eve = yield* member(yield* Fixture.account)
        const offered = yield* Effect.forEach([ada, eve], ({ account_id, id }) => {
          const reset = { token_hash: Fixture.unique("token"), expires_at: LATE }
          return Effect.map(offerReset(account_id, id, reset), () => reset.token_hash)
        })
        const good = Effect.map(
          Effect.forEach(offered, (token_hash) => findByReset(token_hash, at(0))),
          (found) => found.flatMap((one) => (one === null ? [] : [one.id])),
        )
        yield* go(grace.account_id, grace.id)
        assert.deepStrictEqual(yield* good, [ada.id, eve.id])
        yield* go(bob.account_id, bob.id)
        assert.deepStrictEqual(yield* good, [eve.id])
      }),
    )

    it.effect(`one of two owners ${what}`, () =>
      Effect.gen(function* () {
        const ada = yield* member(yield* Fixture.account)
        const bob = yield* member(ada.account_id)
        yield* go(ada.account_id, bob.id)
        const members = yield* (yield* Members).list(ada.account_id)
        assert.deepStrictEqual(
          members.filter(({ role }) => role === "owner"),
          [shown(ada)],
        )
      }),
    )
  }

  it.effect("of owners who all go at once, one stays", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const owners = yield* Effect.replicateEffect(member(account_id), 8)
      const results = yield* Fixture.atOnce(8, (nth) =>
        Effect.result(goes[nth % goes.length]!(account_id, owners[nth]!.id)),
      )
      const codes = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
      assert.deepStrictEqual(
        codes.map((error) => (error._tag === "Conflict" ? error.code : error._tag)),
        ["last_owner"],
      )
      const left = (yield* (yield* Members).list(account_id)).filter(({ role }) => role === "owner")
      assert.strictEqual(left.length, 1)
    }),
  )

  it.effect("of two owners who remove each other, one stays", () =>
    Effect.gen(function* () {
      const { remove, list } = yield* Members
      const account_id = yield* Fixture.account
      const [ada, bob] = [yield* member(account_id), yield* member(account_id)]
      yield* Fixture.atOnce(2, (nth) => Effect.result(remove(account_id, (nth === 0 ? ada : bob).id)))
      assert.strictEqual((yield* list(account_id)).length, 1)
    }),
  )
}
