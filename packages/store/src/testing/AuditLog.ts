/** What people did, in the order in which they did it. */
import { assert } from "@effect/vitest"
import { type AuditEntry, Id } from "@tc/domain"
import { Effect } from "effect"
import { AuditLog, type ListRequest } from "../AuditLog.ts"
import * as Ids from "../Ids.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { Members } from "../Members.ts"
import { Sessions } from "../Sessions.ts"
import { at, member, newEmail, newMemberId, newSessionId } from "./Membership.ts"

const nextId = Ids.make()

/** An entry as it is to be kept; of two, the second has the greater id. */
const row = (account_id: Id.AccountId, fields: Partial<AuditEntry.AuditEntry> = {}): AuditEntry.AuditEntry => ({
  id: Id.AuditEntryId.id.make(nextId(Date.now())),
  account_id,
  action: "api_key.created",
  member_id: newMemberId(),
  email: newEmail(),
  subject_id: crypto.randomUUID(),
  subject: "Storefront",
  created_at: at(0),
  ...fields,
})

/** Entries that are kept, as they are given, in this order. */
const kept = (account_id: Id.AccountId, all: ReadonlyArray<Partial<AuditEntry.AuditEntry>>) =>
  Effect.gen(function* () {
    const { append } = yield* AuditLog
    const rows = all.map((fields) => row(account_id, fields))
    yield* Effect.forEach(rows, append)
    return rows
  })

const listed = (account_id: Id.AccountId, request: Partial<ListRequest> = {}) =>
  Effect.flatMap(AuditLog, ({ list }) => list(account_id, { ...Fixture.all, ...request }))

export const tests = (it: Tests): void => {
  it.effect("an entry is kept as it is given, also one of the server about nothing in particular", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const nothing = { member_id: null, email: null, subject_id: null, subject: null }
      const [first, second] = yield* kept(account_id, [{}, { ...nothing, created_at: at(1) }])
      assert.deepStrictEqual((yield* listed(account_id)).data, [second!, first!])
    }),
  )

  it.effect("a change is kept with its entry, which may tell of what came of it", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      const { setRole } = yield* Members
      yield* member(ada.account_id)
      const entry = row(ada.account_id)
      const change = setRole(ada.account_id, ada.id, "viewer")
      const answer = yield* (yield* AuditLog).noted(change, ({ role }) => ({ ...entry, subject: role }))
      assert.deepInclude(answer, { id: ada.id, role: "viewer" })
      assert.deepStrictEqual((yield* listed(ada.account_id)).data, [{ ...entry, subject: "viewer" }])
    }),
  )

  it.effect("a change that is refused, or comes to nothing, leaves no entry", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      const { remove } = yield* Members
      const { noted } = yield* AuditLog
      const refused = yield* Effect.flip(noted(remove(ada.account_id, ada.id), () => row(ada.account_id)))
      assert.deepInclude(refused, { _tag: "Conflict", code: "last_owner" })
      yield* noted((yield* Sessions).end(ada.account_id, newSessionId()), () => null)
      assert.deepStrictEqual((yield* listed(ada.account_id)).data, [])
    }),
  )

  it.effect("entries are listed newest first, and those of one moment the greatest id first", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const minutes = [3, 1, 2, 2, 0]
      const rows = yield* kept(
        account_id,
        minutes.map((minute) => ({ created_at: at(minute) })),
      )
      assert.deepStrictEqual(
        (yield* listed(account_id)).data.map(({ id }) => id),
        [0, 3, 2, 1, 4].map((nth) => rows[nth]!.id),
      )
    }),
  )

  it.effect("entries are listed in pages, each with the exact total", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const rows = yield* kept(
        account_id,
        Array.from({ length: 5 }, (_, nth) => ({ created_at: at(9 - nth) })),
      )
      for (const page of [1, 2, 3, 4]) {
        const { data, meta } = yield* listed(account_id, { page, per_page: 2 })
        assert.deepStrictEqual(data, rows.slice(2 * page - 2, 2 * page))
        assert.deepStrictEqual(meta, { page, per_page: 2, total: 5, total_pages: 3 })
      }
    }),
  )

  it.effect("entries are listed of one action, of one member, and of both, with their total", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const [ada, bob] = [newMemberId(), newMemberId()]
      const rows = yield* kept(account_id, [
        { action: "secret.revealed", member_id: ada, created_at: at(4) },
        { action: "secret.rotated", member_id: ada, created_at: at(3) },
        { action: "secret.revealed", member_id: bob, created_at: at(2) },
        { action: "secret.revealed", member_id: null, created_at: at(1) },
      ])
      for (const [filter, expected] of [
        [{ action: "secret.revealed" }, [0, 2, 3]],
        [{ member_id: ada }, [0, 1]],
        [{ action: "secret.revealed", member_id: bob }, [2]],
        [{ action: "password.changed" }, []],
      ] as const) {
        const { data, meta } = yield* listed(account_id, filter)
        assert.deepStrictEqual(
          data,
          expected.map((nth) => rows[nth]!),
        )
        assert.strictEqual(meta.total, expected.length)
      }
    }),
  )

  it.effect("entries that were made before a time are removed, whosever they are, and no others", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* Fixture.account, yield* Fixture.account]
      const [first, middle, last] = ["1999-01-01", "1999-01-02", "1999-01-03"].map((day) => `${day}T00:00:00.000Z`)
      const [, , kept_mine] = yield* kept(
        mine,
        [first!, first!, middle!].map((created_at) => ({ created_at })),
      )
      const [, kept_theirs] = yield* kept(
        theirs,
        [first!, last!].map((created_at) => ({ created_at })),
      )
      const { prune } = yield* AuditLog
      assert.strictEqual(yield* prune(middle!), 3)
      assert.deepStrictEqual((yield* listed(mine)).data, [kept_mine!])
      assert.deepStrictEqual((yield* listed(theirs)).data, [kept_theirs!])
      assert.strictEqual(yield* prune(middle!), 0)
    }),
  )

  it.effect("entries of two accounts have nothing to do with each other, also where their ids are the same", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* Fixture.account, yield* Fixture.account]
      const [entry] = yield* kept(mine, [{}])
      const [other] = yield* kept(theirs, [{ id: entry!.id, member_id: entry!.member_id }])
      for (const [account_id, its] of [
        [mine, entry],
        [theirs, other],
      ] as const) {
        const { data, meta } = yield* listed(account_id, { member_id: entry!.member_id! })
        assert.deepStrictEqual(data, [its!])
        assert.strictEqual(meta.total, 1)
      }
    }),
  )
}

export const suite: Suite = suiteOf("AuditLog", tests)
