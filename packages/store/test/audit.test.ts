/** Every change that people make commits with the entry that tells of it: where that cannot be kept, nothing has happened. */
import { assert, it } from "@effect/vitest"
import { type AuditEntry, Id, type WebhookEndpoint } from "@tc/domain"
import { Deferred, Effect, Exit, Fiber, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import {
  ApiKeys,
  AuditLog,
  Deliveries,
  Invitations,
  layerPostgres,
  Members,
  Recoveries,
  type Services,
  Sessions,
  WebhookEndpoints,
} from "../src/index.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Key from "../src/testing/Key.ts"
import * as Membership from "../src/testing/Membership.ts"
import { Recorder } from "../src/testing/Recorder.ts"
import * as Database from "./Database.ts"

const live = { excludeTestServices: true }
const storage = layerPostgres.pipe(Layer.provideMerge(Recorder.layerHandoff), Layer.provideMerge(Database.layer()))

const entryOf = (account_id: Id.AccountId): AuditEntry.AuditEntry => ({
  id: Id.AuditEntryId.id.make(crypto.randomUUID()),
  account_id,
  action: "api_key.created",
  member_id: null,
  email: null,
  subject_id: null,
  subject: null,
  created_at: Membership.at(0),
})

type Change = Effect.Effect<unknown, unknown, Services>

const disabled = (row: WebhookEndpoint.WebhookEndpoint) =>
  Result.succeed({ row: { ...row, status: "disabled" as const }, events: [] })

/** What may be changed, and each change of it. Every one succeeds where it is made alone. */
const world = Effect.gen(function* () {
  const account_id = yield* Fixture.account
  const [owner, other] = [yield* Membership.member(account_id), yield* Membership.member(account_id)]
  const opened = yield* Membership.session(other)
  const invitation = yield* Membership.invitation(account_id)
  const key = Key.row(account_id)
  yield* (yield* ApiKeys).create(key)
  const endpoint = yield* Fixture.endpoint(account_id)
  yield* Fixture.asset(account_id)
  const [delivery] = yield* Fixture.deliveries(account_id)
  const { id } = endpoint
  const reset = { token_hash: Fixture.unique("token"), expires_at: Membership.LATE }
  yield* (yield* Members).offerReset(account_id, other.id, reset)
  const wanted = { since: Membership.at(0), until: Membership.at(1), events: null }
  const changes = {
    "an endpoint that is made": Fixture.endpoint(account_id),
    "an endpoint that is changed": Effect.flatMap(WebhookEndpoints, (all) => all.modify(account_id, id, disabled)),
    "an endpoint that is removed": Effect.flatMap(WebhookEndpoints, (all) => all.delete(account_id, id)),
    "a recovery": Effect.flatMap(Recoveries, ({ create }) => create(account_id, id, wanted)),
    "a delivery that is retried": Effect.flatMap(Deliveries, ({ retry }) => retry(account_id, delivery!.id)),
    "a key that is made": Effect.flatMap(ApiKeys, ({ create }) => create(Key.row(account_id))),
    "a key that is replaced": Effect.flatMap(ApiKeys, ({ replace }) =>
      replace(account_id, key.id, Key.row(account_id), Membership.at(0)),
    ),
    "a key that is revoked": Effect.flatMap(ApiKeys, ({ revoke }) => revoke(account_id, key.id)),
    "an invitation that is made": Effect.flatMap(Invitations, ({ create }) =>
      create(Membership.invitationOf(account_id)),
    ),
    "an invitation that is accepted": Effect.flatMap(Invitations, ({ accept }) =>
      accept(invitation.token_hash, Membership.guest()),
    ),
    "an invitation that is revoked": Effect.flatMap(Invitations, ({ revoke }) => revoke(account_id, invitation.id)),
    "another role": Effect.flatMap(Members, ({ setRole }) => setRole(account_id, owner.id, "viewer")),
    "a member who is removed": Effect.flatMap(Members, ({ remove }) => remove(account_id, other.id)),
    "another password": Effect.flatMap(Members, ({ setPassword }) =>
      setPassword(account_id, other.id, { from: other.password_hash, to: "hash" }, null),
    ),
    "a link for another password": Effect.flatMap(Members, ({ offerReset }) =>
      offerReset(account_id, owner.id, { token_hash: Fixture.unique("token"), expires_at: Membership.LATE }),
    ),
    "another password by a link": Effect.flatMap(Members, ({ reset: choose }) => choose(reset.token_hash, "hash")),
    "a session that begins": Effect.flatMap(Sessions, ({ create }) =>
      create(Membership.sessionOf(other), other.password_hash),
    ),
    "a session that ends": Effect.flatMap(Sessions, ({ end }) => end(account_id, opened.id)),
  }
  return { account_id, changes }
})

const tables = [
  "webhook_endpoints",
  "deliveries",
  "recoveries",
  "api_keys",
  "invitations",
  "members",
  "sessions",
  "audit_entries",
] as const

/** All that there is of an account. */
const all = Effect.fnUntraced(function* (account_id: Id.AccountId) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(tables, (table) =>
    Effect.map(sql`SELECT * FROM tc.${sql.literal(table)} WHERE account_id = ${account_id} ORDER BY id`, (rows) => [
      table,
      ...rows,
    ]),
  )
})

/** Has the database refuse entries of the audit log meanwhile. */
const refusing = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE OR REPLACE FUNCTION tc.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '57P01'; END $$`
    yield* sql`CREATE TRIGGER refusing BEFORE INSERT ON tc.audit_entries FOR EACH ROW EXECUTE FUNCTION tc.refuse()`
    return yield* Effect.ensuring(work, Effect.orDie(sql`DROP TRIGGER refusing ON tc.audit_entries`))
  })

it.layer(storage, live)("a change whose entry cannot be kept", (it) => {
  it.effect("is not made, whatever it is", () =>
    Effect.gen(function* () {
      const { account_id, changes } = yield* world
      const { noted } = yield* AuditLog
      const before = yield* all(account_id)
      for (const [name, change] of Object.entries<Change>(changes)) {
        const exit = yield* refusing(Effect.exit(noted(change, () => entryOf(account_id))))
        assert.isTrue(Exit.isFailure(exit), name)
        assert.deepStrictEqual(yield* all(account_id), before, name)
      }
    }),
  )

  it.effect("is made, with its entry, once that can be kept", () =>
    Effect.gen(function* () {
      const { noted } = yield* AuditLog
      for (const nth of Object.keys((yield* world).changes).keys()) {
        const { account_id, changes } = yield* world
        const [name, change] = Object.entries<Change>(changes).at(nth) ?? assert.fail()
        const before = yield* all(account_id)
        yield* noted(change, () => entryOf(account_id))
        const after = yield* all(account_id)
        const changed = tables.filter((_, nth) => JSON.stringify(before[nth]) !== JSON.stringify(after[nth]))
        assert.include(changed, "audit_entries", name)
        assert.isAtLeast(changed.length, 2, name)
      }
    }),
  )

  it.effect("tells nobody of what it would have done", () =>
    Effect.gen(function* () {
      const { account_id, changes } = yield* world
      const { noted } = yield* AuditLog
      const recorder = yield* Recorder
      recorder.start(60_000)
      yield* refusing(Effect.exit(noted(changes["an endpoint that is changed"], () => entryOf(account_id))))
      assert.deepStrictEqual(recorder.recalled, [])
      yield* noted(changes["an endpoint that is changed"], () => entryOf(account_id))
      assert.lengthOf(recorder.recalled, 1)
    }),
  )

  it.effect("is not made either where it is cut off before its entry is kept", () =>
    Effect.gen(function* () {
      const { account_id, changes } = yield* world
      const { noted } = yield* AuditLog
      const before = yield* all(account_id)
      const changed = yield* Deferred.make<void>()
      const change = Effect.andThen(changes["a key that is made"], Deferred.succeed(changed, undefined))
      const made = yield* Effect.forkChild(noted(Effect.andThen(change, Effect.never), () => entryOf(account_id)))
      yield* Deferred.await(changed)
      yield* Fiber.interrupt(made)
      assert.deepStrictEqual(yield* all(account_id), before)
    }),
  )

  it.effect("of many at once waits for no other: as many as there are connections, and more", () =>
    Effect.gen(function* () {
      const { account_id } = yield* world
      const { noted } = yield* AuditLog
      const made = yield* Fixture.atOnce(40, () => noted(Fixture.endpoint(account_id), () => entryOf(account_id)))
      assert.lengthOf(made, 40)
    }),
  )
})
