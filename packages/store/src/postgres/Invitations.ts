/** Invitations in PostgreSQL. */
import { Account, Errors, type Id, Invitation, Limits, type Member, Value } from "@tc/domain"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Invitations.ts"
import * as Refusals from "../Refusals.ts"
import * as Failure from "./Failure.ts"
import { joining } from "./Members.ts"
import * as Pruning from "./Pruning.ts"
import { plain } from "./Table.ts"

const decode = Schema.decodeUnknownSync(Invitation.Invitation)
const decodeAccount = Schema.decodeUnknownSync(Account.Account)

/** Whether an invitation can be accepted with the token $1 at $2. */
const isOpen = `i.token_hash = $1 AND i.expires_at > $2
  AND (i.invited_by IS NOT NULL OR NOT EXISTS (SELECT 1 FROM tc.members m WHERE m.account_id = i.account_id))`

const findText = `
  SELECT i.*, a.name AS account_name, a.created_at AS account_created_at
  FROM tc.invitations i JOIN tc.accounts a ON a.id = i.account_id WHERE ${isOpen}`

const foundOf = (row: object): Service.Found => {
  const values = plain(row)
  const { account_id: id, account_name: name, account_created_at: created_at } = values
  return { invitation: decode(values), account: decodeAccount({ id, name, created_at }) }
}

/** The account is held, so that of many made at once no more are kept than it may have. */
const create = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, row: Invitation.Row) {
  yield* joining.hold(sql, row.account_id)
  const now = Value.timestamp(yield* Clock.currentTimeMillis)
  const open = yield* sql`SELECT 1 FROM tc.invitations
    WHERE account_id = ${row.account_id} AND invited_by IS NOT NULL AND expires_at > ${now} LIMIT ${Limits.INVITATIONS_MAX}`
  if (row.invited_by !== null && open.length >= Limits.INVITATIONS_MAX) return yield* Refusals.tooManyInvitations()
  const [kept] = yield* sql<object>`INSERT INTO tc.invitations ${sql.insert(row)} RETURNING *`
  return decode(plain(kept!))
})

/**
 * The account is held before anybody looks again for the invitation, so that of those that only the first member may use one
 * is accepted.
 */
const accept = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  token_hash: string,
  member: Omit<Member.Row, "account_id" | "role">,
) {
  const [sought] = yield* sql<{ readonly account_id: Id.AccountId }>`
    SELECT account_id FROM tc.invitations WHERE token_hash = ${token_hash}`
  if (sought === undefined) return yield* Refusals.noInvitation()
  yield* joining.hold(sql, sought.account_id)
  const now = Value.timestamp(yield* Clock.currentTimeMillis)
  const [row] = yield* sql.unsafe<object>(`DELETE FROM tc.invitations i WHERE ${isOpen} RETURNING *`, [token_hash, now])
  if (row === undefined) return yield* Refusals.noInvitation()
  const { account_id, role } = decode(plain(row))
  return yield* joining.insert(sql, { ...member, account_id, role })
})

export const layer = Layer.effect(
  Service.Invitations,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Service.Invitations.of({
      create: (row) => create(sql, row).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      list: (account_id, now) =>
        sql<object>`SELECT * FROM tc.invitations
          WHERE account_id = ${account_id} AND invited_by IS NOT NULL AND expires_at > ${now}
          ORDER BY created_at DESC, id DESC`.pipe(
          Effect.map((rows) => rows.map((row) => decode(plain(row)))),
          Failure.orDie,
        ),
      find: (token_hash, now) =>
        sql.unsafe<object>(findText, [token_hash, now]).pipe(
          Effect.map(([row]) => (row === undefined ? null : foundOf(row))),
          Failure.orDie,
        ),
      accept: (token_hash, member) =>
        accept(sql, token_hash, member).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      prune: (before) =>
        Pruning.prune(sql, "invitations", "account_id, id", "expires_at <= $1", [before]).pipe(Failure.orDie),
      revoke: (account_id, id) =>
        Effect.gen(function* () {
          const [row] = yield* sql`
            DELETE FROM tc.invitations WHERE account_id = ${account_id} AND id = ${id} RETURNING id`
          if (row === undefined) return yield* Errors.notFound("invitation", id)
        }).pipe(Failure.orDie),
    }),
  ),
)
