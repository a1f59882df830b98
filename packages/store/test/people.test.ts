/** What PostgreSQL does for people it does in one step or not at all, and for many rows in steps that end soon. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ApiKeys, Invitations, layerPostgres, Members, Sessions, Throttles } from "../src/index.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Key from "../src/testing/Key.ts"
import * as Membership from "../src/testing/Membership.ts"
import * as Beside from "./Beside.ts"
import * as Database from "./Database.ts"

const live = { excludeTestServices: true }
const storage = layerPostgres.pipe(Layer.provideMerge(Database.layer()))

/** Whether some work fails while the database refuses something, such as `DELETE ON tc.sessions`. */
const fails = <A, E, R>(what: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const table = what.slice(what.lastIndexOf(" "))
    yield* sql`CREATE OR REPLACE FUNCTION tc.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '57P01'; END $$`
    yield* sql.unsafe(`CREATE TRIGGER refusing BEFORE ${what} FOR EACH ROW EXECUTE FUNCTION tc.refuse()`)
    const exit = yield* Effect.exit(work)
    yield* sql.unsafe(`DROP TRIGGER refusing ON ${table}`)
    return Exit.isFailure(exit)
  })

it.layer(storage, live)("a step that fails halfway", (it) => {
  it.effect("leaves the password as it was where the sessions cannot be ended", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const ada = yield* Membership.member(yield* Fixture.account)
      const opened = yield* Membership.session(ada)
      const change = members.setPassword(ada.account_id, ada.id, { from: ada.password_hash, to: "another hash" }, null)
      assert.isTrue(yield* fails("DELETE ON tc.sessions", change))
      assert.strictEqual((yield* members.get(ada.account_id, ada.id)).password_hash, ada.password_hash)
      assert.deepStrictEqual(yield* Membership.open([opened]), [opened])
    }),
  )

  it.effect("leaves the invitation to be accepted where the member cannot be kept", () =>
    Effect.gen(function* () {
      const { accept } = yield* Invitations
      const { token_hash } = yield* Membership.invitation(yield* Fixture.account)
      const who = Membership.guest()
      assert.isTrue(yield* fails("INSERT ON tc.members", accept(token_hash, who)))
      assert.strictEqual((yield* accept(token_hash, who)).id, who.id)
    }),
  )

  it.effect("leaves the key that was to be replaced where the new one cannot be kept", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const old = Key.row(yield* Fixture.account)
      yield* keys.create(old)
      const replace = keys.replace(old.account_id, old.id, Key.row(old.account_id), Membership.at(0))
      assert.isTrue(yield* fails("INSERT ON tc.api_keys", replace))
      assert.deepStrictEqual(yield* Key.all(old.account_id), [Key.shown(old)])
    }),
  )

  it.effect("does not show a member as seen whose session cannot be kept", () =>
    Effect.gen(function* () {
      const ada = yield* Membership.member(yield* Fixture.account)
      const create = (yield* Sessions).create(Membership.sessionOf(ada), ada.password_hash)
      assert.isTrue(yield* fails("INSERT ON tc.sessions", create))
      assert.deepStrictEqual(yield* (yield* Members).get(ada.account_id, ada.id), ada)
    }),
  )
})

it.layer(storage, live)("what is over", (it) => {
  it.effect("is removed and counted, also where it is more than one statement removes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO tc.throttles SELECT 'key ' || n, 1, now() - interval '1 hour' FROM generate_series(1, 2500) AS n`
      assert.strictEqual(yield* (yield* Throttles).prune, 2_500)
    }),
  )

  it.effect("is left to a later run where somebody holds it, and nobody waits", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { prune } = yield* Sessions
      const ada = yield* Membership.member(yield* Fixture.account)
      const held = yield* Membership.session(ada)
      yield* Effect.replicateEffect(Membership.session(ada), 2)
      const before = { created_at: Membership.LATE, last_seen_at: Membership.LATE }
      const hold = sql`SELECT 1 FROM tc.sessions WHERE id = ${held.id} FOR UPDATE`
      assert.strictEqual(yield* Beside.beside(hold, prune(before)), 2)
      assert.strictEqual(yield* prune(before), 1)
    }),
  )
})

/** Whether somebody waits for a row. */
const waits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows =
    yield* sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return rows.length > 0
})

/** Does something that has to wait for a transaction which has done something else, and `meanwhile` what can be done while it does. */
const waiting = <A, E, B, F>(
  first: Effect.Effect<unknown, F>,
  work: Effect.Effect<A, E>,
  meanwhile: Effect.Effect<B, SqlError.SqlError>,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // In a transaction, for a statement that waits keeps its connection from others.
    const begin = Effect.gen(function* () {
      const fiber = yield* Effect.forkDetach(Effect.exit(sql.withTransaction(work)))
      yield* Effect.repeat(waits, { while: (waits) => !waits })
      return { fiber, free: yield* meanwhile }
    })
    const { fiber, free } = yield* Beside.beside(first, begin)
    return { exit: yield* Fiber.join(fiber), free }
  })

it.layer(storage, live)("what has to wait", (it) => {
  it.effect("holds no session while it waits for its member, so that whoever ends one need not wait for its use", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { touch, find } = yield* Sessions
      const ada = yield* Membership.member(yield* Fixture.account)
      const opened = yield* Membership.session(ada)
      const { free } = yield* waiting(
        sql`UPDATE tc.members SET name = name WHERE id = ${ada.id}`,
        touch({ ...opened, last_seen_at: Membership.at(1) }),
        sql`SELECT 1 FROM tc.sessions WHERE id = ${opened.id} FOR UPDATE SKIP LOCKED`,
      )
      assert.lengthOf(free, 1)
      assert.strictEqual((yield* find(opened.token_hash))?.session.last_seen_at, Membership.at(1))
    }),
  )

  it.effect("for what an owner does is the end of their role, which ends it", () =>
    Effect.gen(function* () {
      const { findByReset, offerReset, roleOf, setRole } = yield* Members
      const ada = yield* Membership.member(yield* Fixture.account)
      const bob = yield* Membership.member(ada.account_id)
      const reset = { token_hash: Fixture.unique("token"), expires_at: Membership.LATE }
      const { exit } = yield* waiting(
        Effect.andThen(roleOf(bob.account_id, bob.id), offerReset(ada.account_id, ada.id, reset)),
        setRole(bob.account_id, bob.id, "viewer"),
        Effect.void,
      )
      assert.isTrue(Exit.isSuccess(exit))
      assert.isNull(yield* findByReset(reset.token_hash, Membership.at(0)))
    }),
  )

  it.effect("for a key to be revoked does not replace it", () =>
    Effect.gen(function* () {
      const { create, replace, revoke } = yield* ApiKeys
      const key = Key.row(yield* Fixture.account)
      yield* create(key)
      const { exit } = yield* waiting(
        revoke(key.account_id, key.id),
        Effect.flip(replace(key.account_id, key.id, Key.row(key.account_id), Membership.LATE)),
        Effect.void,
      )
      assert.strictEqual(Exit.isSuccess(exit) && exit.value._tag === "Conflict" && exit.value.code, "key_not_active")
      assert.lengthOf(yield* Key.all(key.account_id), 1)
    }),
  )
})
