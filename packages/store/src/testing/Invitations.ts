/** How people come into an account: by a link that works once, and not for ever. */
import { assert } from "@effect/vitest"
import { Id, type Invitation, Limits } from "@tc/domain"
import { Effect, Result, Struct } from "effect"
import { Accounts } from "../Accounts.ts"
import { Invitations } from "../Invitations.ts"
import { Members } from "../Members.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Acceptance from "./Acceptance.ts"
import * as Fixture from "./Fixture.ts"
import { at, invitation, invitationOf, LATE, member, newEmail } from "./Membership.ts"

const shown = (invitation: Invitation.Row): Invitation.Invitation => Struct.omit(invitation, ["token_hash"])

const NOW = at(30)

const found = ({ token_hash }: Invitation.Row) => Effect.flatMap(Invitations, ({ find }) => find(token_hash, NOW))

const listed = (account_id: Id.AccountId) => Effect.flatMap(Invitations, ({ list }) => list(account_id, NOW))

const seen = (it: Tests): void => {
  it.effect("an invitation is kept as it is given and shown without the hash of its token", () =>
    Effect.gen(function* () {
      const { create } = yield* Invitations
      const given = invitationOf(yield* Fixture.account, { email: newEmail(), role: "viewer" })
      assert.deepStrictEqual(yield* create(given), shown(given))
      assert.deepStrictEqual(yield* listed(given.account_id), [shown(given)])
    }),
  )

  it.effect("an invitation is found by the hash of its token, with the account it leads into", () =>
    Effect.gen(function* () {
      const account = yield* (yield* Accounts).create(Fixture.unique("account"))
      const given = yield* invitation(account.id)
      assert.deepStrictEqual(yield* found(given), { invitation: shown(given), account })
      assert.isNull(yield* (yield* Invitations).find(Fixture.unique("token"), NOW))
    }),
  )

  it.effect("invitations are listed newest first", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const older = yield* invitation(account_id, { created_at: at(1) })
      const newer = yield* invitation(account_id, { created_at: at(2) })
      yield* invitation(yield* Fixture.account)
      assert.deepStrictEqual(yield* listed(account_id), [shown(newer), shown(older)])
    }),
  )

  it.effect("invitations whose time is over are removed, and no others", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const over = yield* invitation(account_id, { expires_at: at(10) })
      const left = yield* invitation(account_id, { expires_at: at(20) })
      const { list, prune } = yield* Invitations
      assert.isAtLeast(yield* prune(at(10)), 1)
      assert.deepStrictEqual(
        (yield* list(account_id, at(0))).map(({ id }) => id),
        [left.id],
      )
      assert.isNull(yield* (yield* Invitations).find(over.token_hash, at(0)))
    }),
  )

  it.effect("an invitation whose time is over is neither listed nor found", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const over = yield* invitation(account_id, { expires_at: NOW })
      const open = yield* invitation(account_id, { expires_at: at(31) })
      assert.deepStrictEqual(yield* listed(account_id), [shown(open)])
      assert.isNull(yield* found(over))
      assert.deepStrictEqual((yield* found(open))?.invitation, shown(open))
    }),
  )

  it.effect("an invitation by the server is not listed, and found while the account has no member", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const first = yield* invitation(account_id, { invited_by: null })
      // A member elsewhere does not count.
      yield* member(yield* Fixture.account)
      assert.deepStrictEqual(yield* listed(account_id), [])
      assert.deepStrictEqual((yield* found(first))?.invitation, shown(first))
      yield* member(account_id, { role: "viewer" })
      assert.isNull(yield* found(first))
    }),
  )
}

const bounded = (it: Tests): void => {
  it.effect("of many made at once no more are kept than an account may have open", () =>
    Effect.gen(function* () {
      const { create } = yield* Invitations
      const account_id = yield* Fixture.account
      const made = yield* Fixture.atOnce(Limits.INVITATIONS_MAX + 5, () =>
        Effect.result(create(invitationOf(account_id))),
      )
      const refused = made.flatMap((result) => (Result.isFailure(result) ? [result.failure.code] : []))
      assert.deepStrictEqual(
        refused,
        Array.from({ length: 5 }, () => "too_many_invitations" as const),
      )
      assert.lengthOf(yield* listed(account_id), Limits.INVITATIONS_MAX)
    }),
  )

  it.effect("what can be accepted no more, another account's, and the server's are not counted", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const fill = (count: number, fields: Partial<Invitation.Row> = {}) =>
        Effect.forEach(Array.from({ length: count }), () => invitation(account_id, fields))
      yield* invitation(yield* Fixture.account)
      yield* fill(2, { expires_at: at(0) })
      yield* fill(2, { invited_by: null })
      const [first] = yield* fill(Limits.INVITATIONS_MAX)
      yield* fill(1, { invited_by: null })
      const { create, revoke } = yield* Invitations
      yield* revoke(account_id, first!.id)
      yield* fill(1)
      assert.strictEqual((yield* Effect.flip(create(invitationOf(account_id)))).code, "too_many_invitations")
    }),
  )
}

const revoked = (it: Tests): void => {
  it.effect("an invitation that is revoked is neither listed nor found, and NotFound from then on", () =>
    Effect.gen(function* () {
      const { revoke } = yield* Invitations
      const given = yield* invitation(yield* Fixture.account)
      yield* revoke(given.account_id, given.id)
      assert.deepStrictEqual(yield* listed(given.account_id), [])
      assert.isNull(yield* found(given))
      assert.strictEqual((yield* Effect.flip(revoke(given.account_id, given.id)))._tag, "NotFound")
    }),
  )

  it.effect("of many that revoke an invitation at once, one does", () =>
    Effect.gen(function* () {
      const { revoke } = yield* Invitations
      const given = yield* invitation(yield* Fixture.account)
      const results = yield* Fixture.atOnce(10, () => Effect.result(revoke(given.account_id, given.id)))
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
    }),
  )

  it.effect("an invitation that is not there, or another account's, is NotFound", () =>
    Effect.gen(function* () {
      const { revoke } = yield* Invitations
      const given = yield* invitation(yield* Fixture.account)
      const stranger = yield* Fixture.account
      const nobodys = Id.InvitationId.id.make(crypto.randomUUID())
      assert.strictEqual((yield* Effect.flip(revoke(stranger, given.id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(revoke(given.account_id, nobodys)))._tag, "NotFound")
      assert.deepStrictEqual((yield* found(given))?.invitation, shown(given))
    }),
  )

  it.effect("invitations of two accounts have nothing to do with each other, also where their ids are the same", () =>
    Effect.gen(function* () {
      const { revoke } = yield* Invitations
      const [mine, theirs, used] = [yield* Fixture.account, yield* Fixture.account, yield* Fixture.account]
      const given = yield* invitation(mine)
      yield* invitation(theirs, { id: given.id, expires_at: LATE })
      yield* revoke(theirs, given.id)
      const again = yield* invitation(used, { id: given.id })
      yield* Acceptance.accept(again)
      assert.deepStrictEqual(yield* listed(mine), [shown(given)])
      assert.deepStrictEqual(yield* listed(theirs), [])
      assert.deepStrictEqual(yield* (yield* Members).list(mine), [])
    }),
  )
}

export const tests = (it: Tests): void => {
  seen(it)
  bounded(it)
  revoked(it)
  Acceptance.tests(it)
}

export const suite: Suite = suiteOf("Invitations", tests)
