/** Who is signed in, since when, and for how long. */
import { assert } from "@effect/vitest"
import { Limits, type Member, type Session } from "@tc/domain"
import { Effect } from "effect"
import { Members } from "../Members.ts"
import { Sessions } from "../Sessions.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { at, member, newMemberId, open, row, session, sessionOf, shown } from "./Membership.ts"

const found = ({ token_hash }: Session.Session) => Effect.flatMap(Sessions, ({ find }) => find(token_hash))

const seen = ({ account_id, id }: Member.Row) =>
  Effect.flatMap(Members, ({ get }) => Effect.map(get(account_id, id), ({ last_seen_at }) => last_seen_at))

const kept = (it: Tests): void => {
  it.effect("a session is found by the hash of its token, with its member but not with their password's hash", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      const opened = sessionOf(ada, { created_at: at(1), last_seen_at: at(2) })
      assert.isTrue(yield* (yield* Sessions).create(opened, ada.password_hash))
      assert.deepStrictEqual(yield* found(opened), {
        session: opened,
        member: { ...shown(ada), last_seen_at: at(2) },
      })
    }),
  )

  it.effect("a token that nobody has leads to no session", () =>
    Effect.gen(function* () {
      yield* session(yield* member(yield* Fixture.account))
      assert.isNull(yield* (yield* Sessions).find(Fixture.unique("token")))
    }),
  )

  it.effect("a session is found when its time is long over", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      const old = yield* session(ada, { created_at: "2020-01-01T00:00:00.000Z", last_seen_at: at(0) })
      assert.deepStrictEqual((yield* found(old))?.session, old)
    }),
  )

  it.effect("a session is found with its member as they are now", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* member(account_id)
      const ada = yield* member(account_id)
      const opened = yield* session(ada)
      const viewer = yield* (yield* Members).setRole(account_id, ada.id, "viewer")
      assert.deepStrictEqual((yield* found(opened))?.member, viewer)
    }),
  )

  it.effect("a session of nobody, or of a member of another account, is not kept", () =>
    Effect.gen(function* () {
      const { create } = yield* Sessions
      const ada = yield* member(yield* Fixture.account)
      const wrong = [
        sessionOf(row(ada.account_id)),
        sessionOf({ ...ada, account_id: yield* Fixture.account }),
        sessionOf({ ...ada, id: newMemberId() }),
      ]
      assert.deepStrictEqual(yield* Effect.forEach(wrong, (one) => create(one, ada.password_hash)), [
        false,
        false,
        false,
      ])
      assert.deepStrictEqual(yield* open(wrong), [])
    }),
  )

  it.effect("no session is kept of a member who has changed the password that they gave", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      yield* (yield* Members).setPassword(ada.account_id, ada.id, { from: ada.password_hash, to: "another" }, null)
      const [old, fresh] = [sessionOf(ada), sessionOf(ada)]
      const { create } = yield* Sessions
      assert.isFalse(yield* create(old, ada.password_hash))
      assert.isTrue(yield* create(fresh, "another"))
      assert.deepStrictEqual(yield* open([old, fresh]), [fresh])
    }),
  )

  it.effect("no session is kept of a member who is removed at the same time", () =>
    Effect.gen(function* () {
      const { create } = yield* Sessions
      const { remove } = yield* Members
      const account_id = yield* Fixture.account
      yield* member(account_id)
      const ada = yield* member(account_id)
      const sessions = Array.from({ length: 12 }, () => sessionOf(ada))
      yield* Fixture.atOnce(13, (nth) =>
        nth === 6
          ? Effect.asVoid(remove(account_id, ada.id))
          : Effect.asVoid(create(sessions[nth > 6 ? nth - 1 : nth]!, ada.password_hash)),
      )
      assert.deepStrictEqual(yield* open(sessions), [])
    }),
  )
}

const used = (it: Tests): void => {
  it.effect("the latest use of a session is kept, an older one changes nothing", () =>
    Effect.gen(function* () {
      const { touch } = yield* Sessions
      const opened = yield* session(yield* member(yield* Fixture.account))
      for (const minute of [2, 4, 3]) yield* touch({ ...opened, last_seen_at: at(minute) })
      assert.deepStrictEqual((yield* found(opened))?.session, { ...opened, last_seen_at: at(4) })
    }),
  )

  it.effect("the latest of uses at the same moment is kept", () =>
    Effect.gen(function* () {
      const { touch } = yield* Sessions
      const ada = yield* member(yield* Fixture.account)
      const sessions = [yield* session(ada), yield* session(ada)]
      yield* Fixture.atOnce(20, (nth) => touch({ ...sessions[nth % 2]!, last_seen_at: at((nth * 7) % 20) }))
      const now = yield* Effect.forEach(sessions, found)
      assert.deepStrictEqual(
        now.map((one) => one?.session.last_seen_at),
        [at(18), at(19)],
      )
      assert.strictEqual(yield* seen(ada), at(19))
    }),
  )

  it.effect("a member was last seen when any session of theirs was, also when it has ended", () =>
    Effect.gen(function* () {
      const { touch, end } = yield* Sessions
      const ada = yield* member(yield* Fixture.account)
      assert.isNull(yield* seen(ada))
      const first = yield* session(ada, { last_seen_at: at(1) })
      assert.strictEqual(yield* seen(ada), at(1))
      yield* touch({ ...first, last_seen_at: at(5) })
      yield* end(first.account_id, first.id)
      const second = yield* session(ada, { last_seen_at: at(2) })
      yield* touch({ ...second, last_seen_at: at(3) })
      assert.strictEqual(yield* seen(ada), at(5))
      const [listed] = yield* (yield* Members).list(ada.account_id)
      assert.deepStrictEqual(listed, { ...shown(ada), last_seen_at: at(5) })
    }),
  )

  it.effect("a use of a session that has ended changes nothing", () =>
    Effect.gen(function* () {
      const { touch, end } = yield* Sessions
      const ada = yield* member(yield* Fixture.account)
      const opened = yield* session(ada, { last_seen_at: at(1) })
      yield* end(opened.account_id, opened.id)
      yield* touch({ ...opened, last_seen_at: at(5) })
      assert.isNull(yield* found(opened))
      assert.strictEqual(yield* seen(ada), at(1))
    }),
  )
}

const year = (year: number) => `${year}-01-01T00:00:00.000Z`

const ended = (it: Tests): void => {
  it.effect("a session ends, others of the member do not, and a second time nothing changes", () =>
    Effect.gen(function* () {
      const { end } = yield* Sessions
      const ada = yield* member(yield* Fixture.account)
      const sessions = [yield* session(ada), yield* session(ada)]
      yield* end(ada.account_id, sessions[0]!.id)
      yield* end(ada.account_id, sessions[0]!.id)
      assert.deepStrictEqual(yield* open(sessions), [sessions[1]!])
    }),
  )

  it.effect("sessions that were created or last seen before a time are removed and counted, others stay", () =>
    Effect.gen(function* () {
      const { prune } = yield* Sessions
      const ada = yield* member(yield* Fixture.account)
      const times = [
        [2009, 2022],
        [2010, 2019],
        [2009, 2019],
        [2010, 2020],
        [2011, 2021],
      ] as const
      const sessions = yield* Effect.forEach(times, ([created, last_seen]) =>
        session(ada, { created_at: year(created), last_seen_at: year(last_seen) }),
      )
      const before = { created_at: year(2010), last_seen_at: year(2020) }
      assert.strictEqual(yield* prune(before), 3)
      assert.deepStrictEqual(yield* open(sessions), sessions.slice(3))
      assert.strictEqual(yield* prune(before), 0)
    }),
  )

  it.effect("a session more than a member may have ends the oldest of theirs, however many are begun at once", () =>
    Effect.gen(function* () {
      const ada = yield* member(yield* Fixture.account)
      const theirs = yield* session(yield* member(ada.account_id), { created_at: at(0) })
      const first = yield* session(ada, { created_at: at(1) })
      const others = yield* Fixture.atOnce(Limits.SESSIONS_MAX - 1, () => session(ada, { created_at: at(2) }))
      assert.deepStrictEqual(yield* open([first, ...others]), [first, ...others])
      const more = yield* Fixture.atOnce(2, () => session(ada, { created_at: at(3) }))
      assert.lengthOf(yield* open(others), Limits.SESSIONS_MAX - 2)
      assert.deepStrictEqual(yield* open([theirs, first, ...more]), [theirs, ...more])
    }),
  )

  it.effect(
    "a session is kept where it is older than as many as a member may have: it is the one that was asked for",
    () =>
      Effect.gen(function* () {
        const ada = yield* member(yield* Fixture.account)
        yield* Fixture.atOnce(Limits.SESSIONS_MAX, () => session(ada, { created_at: at(2) }))
        const late = yield* session(ada, { created_at: at(1) })
        assert.deepStrictEqual(yield* open([late]), [late])
      }),
  )

  it.effect("sessions of two accounts have nothing to do with each other, also where their ids are the same", () =>
    Effect.gen(function* () {
      const { touch, end } = yield* Sessions
      const ada = yield* member(yield* Fixture.account)
      const mine = yield* session(ada)
      const other = yield* member(yield* Fixture.account, { id: ada.id })
      const theirs = yield* session(other, { id: mine.id })
      yield* touch({ ...theirs, last_seen_at: at(5) })
      yield* end(theirs.account_id, theirs.id)
      assert.deepStrictEqual(yield* open([mine, theirs]), [mine])
      assert.deepStrictEqual(yield* found(mine), {
        session: mine,
        member: { ...shown(ada), last_seen_at: mine.last_seen_at },
      })
    }),
  )
}

export const tests = (it: Tests): void => {
  kept(it)
  used(it)
  ended(it)
}

export const suite: Suite = suiteOf("Sessions", tests)
