/** That an invitation makes one member, and those by the server the first member only. */
import { assert } from "@effect/vitest"
import type { Errors, Invitation, Member } from "@tc/domain"
import { Effect, Result } from "effect"
import { Invitations } from "../Invitations.ts"
import { Members } from "../Members.ts"
import type { Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { at, guest, invitation, member, shown } from "./Membership.ts"

/** Accepts an invitation as whom is given, or as somebody. */
export const accept = (
  { token_hash }: Invitation.Row,
  who = guest(),
): Effect.Effect<Member.Member, Errors.NotFound | Errors.Conflict, Invitations> =>
  Effect.flatMap(Invitations, ({ accept }) => accept(token_hash, who))

/** Why an invitation cannot be accepted. */
const refusal = (invitation: Invitation.Row, who = guest()) =>
  Effect.map(Effect.flip(accept(invitation, who)), (error) => (error._tag === "Conflict" ? error.code : error._tag))

const isOpen = ({ token_hash }: Invitation.Row) =>
  Effect.flatMap(Invitations, ({ find }) => Effect.map(find(token_hash, at(30)), (found) => found !== null))

const once = (it: Tests): void => {
  it.effect("who accepts an invitation is a member of its account with its role, and it is gone", () =>
    Effect.gen(function* () {
      const given = yield* invitation(yield* Fixture.account, { role: "viewer" })
      const who = guest()
      const kept = { ...who, account_id: given.account_id, role: "viewer" } as const
      assert.deepStrictEqual(yield* accept(given, who), shown(kept))
      assert.deepStrictEqual(yield* (yield* Members).get(given.account_id, who.id), kept)
      assert.deepStrictEqual(yield* (yield* Invitations).list(given.account_id, at(30)), [])
      assert.isFalse(yield* isOpen(given))
      assert.strictEqual(yield* refusal(given), "NotFound")
    }),
  )

  it.effect("of many who accept an invitation at once, one becomes a member", () =>
    Effect.gen(function* () {
      const given = yield* invitation(yield* Fixture.account)
      const results = yield* Fixture.atOnce(10, () => Effect.result(accept(given)))
      const members = yield* (yield* Members).list(given.account_id)
      assert.deepStrictEqual(
        results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : [])),
        members,
      )
      assert.strictEqual(members.length, 1)
      const tags = results.flatMap((result) => (Result.isFailure(result) ? [result.failure._tag] : []))
      assert.deepStrictEqual(
        tags,
        Array.from({ length: 9 }, () => "NotFound" as const),
      )
    }),
  )

  it.effect("an invitation whose time is over, that was revoked, or that there never was, is NotFound", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const over = yield* invitation(account_id, { expires_at: at(59) })
      const revoked = yield* invitation(account_id)
      yield* (yield* Invitations).revoke(account_id, revoked.id)
      const never = { ...revoked, token_hash: Fixture.unique("token") }
      assert.deepStrictEqual(yield* Effect.forEach([over, revoked, never], (given) => refusal(given)), [
        "NotFound",
        "NotFound",
        "NotFound",
      ])
      assert.deepStrictEqual(yield* (yield* Members).list(account_id), [])
    }),
  )

  it.effect("an address that a member has is a Conflict, and leaves the invitation to be accepted with another", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      const given = yield* invitation(ada.account_id)
      assert.strictEqual(yield* refusal(given, { ...guest(), email: ada.email }), "email_taken")
      assert.isTrue(yield* isOpen(given))
      assert.strictEqual((yield* accept(given)).role, given.role)
    }),
  )

  it.effect("of several invitations that somebody accepts at once with one address, one is used", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const given = yield* Effect.replicateEffect(invitation(account_id), 6)
      const { email } = guest()
      const results = yield* Fixture.atOnce(6, (nth) => Effect.result(accept(given[nth]!, { ...guest(), email })))
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      assert.strictEqual((yield* (yield* Invitations).list(account_id, at(30))).length, 5)
    }),
  )
}

const first = (it: Tests): void => {
  it.effect("an invitation by the server makes the first member, and none after", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const [one, other] = yield* Effect.replicateEffect(invitation(account_id, { invited_by: null, role: "owner" }), 2)
      const who = guest()
      assert.deepStrictEqual(yield* accept(one!, who), shown({ ...who, account_id, role: "owner" }))
      assert.strictEqual(yield* refusal(other!), "NotFound")
      assert.strictEqual((yield* (yield* Members).list(account_id)).length, 1)
    }),
  )

  it.effect("of several by the server that are accepted at the same moment, one is", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const given = yield* Effect.replicateEffect(invitation(account_id, { invited_by: null, role: "owner" }), 8)
      const results = yield* Fixture.atOnce(8, (nth) => Effect.result(accept(given[nth]!)))
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      assert.strictEqual((yield* (yield* Members).list(account_id)).length, 1)
    }),
  )

  it.effect("an invitation by the server is NotFound once the account has a member, whoever they are", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const given = yield* invitation(account_id, { invited_by: null })
      const ada = yield* member(account_id, { role: "viewer" })
      assert.strictEqual(yield* refusal(given), "NotFound")
      assert.deepStrictEqual(yield* (yield* Members).list(account_id), [shown(ada)])
    }),
  )
}

export const tests = (it: Tests): void => {
  once(it)
  first(it)
}
