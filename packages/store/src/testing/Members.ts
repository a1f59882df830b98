/** Who belongs to an account, that it keeps an owner, and what ends with a password. */
import { assert } from "@effect/vitest"
import type { Member } from "@tc/domain"
import { Effect, Result } from "effect"
import { Members } from "../Members.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Owners from "./Owners.ts"
import * as Resets from "./Resets.ts"
import { at, member, newEmail, newMemberId, open, row, session, shown } from "./Membership.ts"

const kept = (it: Tests): void => {
  it.effect("a member is kept as they are given and shown without the hash of their password", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const ada = row(yield* Fixture.account, { last_seen_at: at(3), name: "Ada \u{1F680} O'Hara" })
      assert.deepStrictEqual(yield* members.create(ada), shown(ada))
      assert.deepStrictEqual(yield* members.list(ada.account_id), [shown(ada)])
      assert.deepStrictEqual(yield* members.get(ada.account_id, ada.id), ada)
      assert.deepStrictEqual(yield* members.findByEmail(ada.email), [ada])
    }),
  )

  it.effect("an address that a member of the account has is a Conflict, also when many come at once", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const ada = row(yield* Fixture.account)
      const results = yield* Fixture.atOnce(10, () => Effect.result(members.create({ ...ada, id: newMemberId() })))
      const codes = results.flatMap((result) => (Result.isFailure(result) ? [result.failure.code] : []))
      assert.deepStrictEqual(
        codes,
        Array.from({ length: 9 }, () => "email_taken" as const),
      )
      assert.strictEqual((yield* members.list(ada.account_id)).length, 1)
    }),
  )

  it.effect("the role of a member is what it is now, and nobody of another account has one", () =>
    Effect.gen(function* () {
      const { roleOf, setRole } = yield* Members
      const [ada, bob] = [yield* member(yield* Fixture.account), yield* member(yield* Fixture.account)]
      yield* member(ada.account_id)
      assert.strictEqual(yield* roleOf(ada.account_id, ada.id), "owner")
      yield* setRole(ada.account_id, ada.id, "viewer")
      assert.strictEqual(yield* roleOf(ada.account_id, ada.id), "viewer")
      assert.isNull(yield* roleOf(ada.account_id, bob.id))
    }),
  )

  it.effect("members are found by their address in any account, the oldest first", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const email = newEmail()
      const newer = yield* member(yield* Fixture.account, { email, created_at: at(2) })
      const older = yield* member(yield* Fixture.account, { email, created_at: at(1) })
      assert.deepStrictEqual(yield* members.findByEmail(email), [older, newer])
      assert.deepStrictEqual(yield* members.findByEmail(newEmail()), [])
    }),
  )

  it.effect("the members of an account are listed oldest first", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const newer = yield* member(account_id, { created_at: at(2) })
      const older = yield* member(account_id, { created_at: at(1) })
      yield* member(yield* Fixture.account)
      assert.deepStrictEqual(yield* (yield* Members).list(account_id), [shown(older), shown(newer)])
    }),
  )

  it.effect("a member who is not there, or another account's, is NotFound, whatever is asked of them", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const ada = yield* member(yield* Fixture.account)
      const opened = yield* session(ada)
      const stranger = yield* Fixture.account
      for (const [account_id, id] of [
        [stranger, ada.id],
        [ada.account_id, newMemberId()],
      ] as const) {
        const errors = yield* Effect.all([
          Effect.flip(members.get(account_id, id)),
          Effect.flip(members.setRole(account_id, id, "viewer")),
          Effect.flip(members.remove(account_id, id)),
          Effect.flip(members.setPassword(account_id, id, { from: ada.password_hash, to: "other" }, null)),
        ])
        assert.deepStrictEqual(
          errors.map(({ _tag }) => _tag),
          ["NotFound", "NotFound", "NotFound", "NotFound"],
        )
      }
      assert.deepStrictEqual(yield* members.get(ada.account_id, ada.id), { ...ada, last_seen_at: opened.last_seen_at })
      assert.deepStrictEqual(yield* open([opened]), [opened])
    }),
  )

  it.effect("members of two accounts have nothing to do with each other, also where their ids are the same", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const ada = yield* member(yield* Fixture.account)
      const theirs = yield* session(ada, { last_seen_at: at(0) })
      const other = row(yield* Fixture.account, { id: ada.id, email: ada.email })
      yield* members.create(other)
      yield* member(other.account_id)
      yield* session(other, { last_seen_at: at(9) })
      yield* members.setRole(other.account_id, other.id, "viewer")
      yield* members.setPassword(other.account_id, other.id, { from: other.password_hash, to: "other" }, null)
      yield* members.remove(other.account_id, other.id)
      assert.deepStrictEqual(yield* members.findByEmail(ada.email), [{ ...ada, last_seen_at: at(0) }])
      assert.deepStrictEqual(yield* open([theirs]), [theirs])
    }),
  )
}

const changed = (it: Tests): void => {
  it.effect("a member gets another role, and nothing else of them changes but when they were changed", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const account_id = yield* Fixture.account
      yield* member(account_id)
      const ada = yield* member(account_id, { role: "viewer" })
      const developer = yield* members.setRole(account_id, ada.id, "developer")
      const { updated_at } = developer
      assert.isAbove(Date.parse(updated_at), Date.parse(ada.updated_at))
      assert.deepStrictEqual(developer, { ...shown(ada), role: "developer", updated_at })
      assert.deepStrictEqual(yield* members.get(account_id, ada.id), { ...ada, role: "developer", updated_at })
    }),
  )

  it.effect("a member who has the role already is not changed", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      assert.deepStrictEqual(yield* (yield* Members).setRole(ada.account_id, ada.id, "owner"), shown(ada))
    }),
  )

  it.effect("a member is removed with all their sessions, and others with none of theirs", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const account_id = yield* Fixture.account
      const [ada, bob] = [yield* member(account_id), yield* member(account_id)]
      const sessions = [yield* session(ada), yield* session(bob), yield* session(ada)]
      yield* members.remove(account_id, ada.id)
      assert.strictEqual((yield* Effect.flip(members.get(account_id, ada.id)))._tag, "NotFound")
      assert.deepStrictEqual(yield* members.findByEmail(ada.email), [])
      // Nor do they come back with a member who is the same.
      yield* members.create(ada)
      assert.deepStrictEqual(yield* open(sessions), [sessions[1]!])
    }),
  )

  it.effect("the address of a member who was removed is free again", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const account_id = yield* Fixture.account
      yield* member(account_id)
      const ada = yield* member(account_id)
      yield* members.remove(account_id, ada.id)
      const again = yield* member(account_id, { email: ada.email })
      assert.deepStrictEqual(yield* members.findByEmail(ada.email), [again])
    }),
  )
}

/** A member with three sessions, and another member with one. */
const signedIn = Effect.gen(function* () {
  const account_id = yield* Fixture.account
  const ada: Member.Row = yield* member(account_id)
  const sessions = yield* Effect.replicateEffect(session(ada), 3)
  return { ada, sessions, other: yield* session(yield* member(account_id)) }
})

const passwords = (it: Tests): void => {
  it.effect("a password is replaced, and all sessions of the member end but the one that is kept", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const { ada, sessions, other } = yield* signedIn
      yield* members.setPassword(
        ada.account_id,
        ada.id,
        { from: ada.password_hash, to: "another hash" },
        sessions[1]!.id,
      )
      const now = yield* members.get(ada.account_id, ada.id)
      const changed = { password_hash: "another hash", updated_at: now.updated_at }
      assert.deepStrictEqual(now, { ...ada, ...changed, last_seen_at: sessions[0]!.last_seen_at })
      assert.isAbove(Date.parse(now.updated_at), Date.parse(ada.updated_at))
      assert.deepStrictEqual(yield* open([...sessions, other]), [sessions[1]!, other])
    }),
  )

  it.effect("with a password all sessions of the member end where none is kept", () =>
    Effect.gen(function* () {
      const { ada, sessions, other } = yield* signedIn
      yield* (yield* Members).setPassword(ada.account_id, ada.id, { from: ada.password_hash, to: "another hash" }, null)
      assert.deepStrictEqual(yield* open([...sessions, other]), [other])
    }),
  )

  it.effect("of passwords that are to replace the same one at once, one does", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const { ada, sessions } = yield* signedIn
      const results = yield* Fixture.atOnce(3, (nth) => {
        const change = { from: ada.password_hash, to: `${nth}` }
        return Effect.result(members.setPassword(ada.account_id, ada.id, change, sessions[nth]!.id))
      })
      const [only, ...more] = results.flatMap((result, nth) => (Result.isSuccess(result) ? [nth] : []))
      assert.deepStrictEqual(more, [])
      assert.strictEqual((yield* members.get(ada.account_id, ada.id)).password_hash, `${only}`)
      assert.deepStrictEqual(yield* open(sessions), [sessions[only!]!])
    }),
  )
}

export const tests = (it: Tests): void => {
  kept(it)
  changed(it)
  passwords(it)
  Resets.tests(it)
  Owners.tests(it)
}

export const suite: Suite = suiteOf("Members", tests)
