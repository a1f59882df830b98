/** Members in PostgreSQL. */
import { Errors, type Id, Member, Value } from "@tc/domain"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Service from "../Members.ts"
import * as Refusals from "../Refusals.ts"
import * as Failure from "./Failure.ts"
import { plain } from "./Table.ts"

const decodeRow = Schema.decodeUnknownSync(Member.Row)
export const decode = Schema.decodeUnknownSync(Member.Member)
const read = (row: object): Member.Row => decodeRow(plain(row))

/**
 * Holds an account to the end of the transaction, so that those who change its owners, or add to its members, do so one after
 * the other. Others go on to refer to it: that takes no more than its key. The order is the same everywhere, an account, a
 * member, their sessions, so that no two transactions wait for each other.
 */
const hold = (sql: SqlClient.SqlClient, account_id: Id.AccountId) =>
  sql`SELECT 1 FROM tc.accounts WHERE id = ${account_id} FOR NO KEY UPDATE`

/** Keeps a member, unless the account has one with this address. Part of a transaction that holds the account. */
const insert = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, member: Member.Row) {
  const [row] = yield* sql<object>`
    INSERT INTO tc.members ${sql.insert(member)} ON CONFLICT (account_id, email) DO NOTHING RETURNING *`
  return row === undefined ? yield* Refusals.emailTaken(member.email) : decode(plain(row))
})

/** For what else adds members. */
export const joining = { hold, insert }

const make = (sql: SqlClient.SqlClient) => {
  const select = Effect.fnUntraced(function* (account_id: Id.AccountId, id: Id.MemberId) {
    const [row] = yield* sql<object>`SELECT * FROM tc.members WHERE account_id = ${account_id} AND id = ${id}`
    return row === undefined ? yield* Errors.notFound("member", id) : read(row)
  })

  /** A member, and who else is an owner, in an account that is held. */
  const among = Effect.fnUntraced(function* (account_id: Id.AccountId, id: Id.MemberId) {
    yield* hold(sql, account_id)
    const owners = yield* sql<object>`
      SELECT * FROM tc.members WHERE account_id = ${account_id} AND id <> ${id} AND role = 'owner'`
    return { row: yield* select(account_id, id), owners: owners.map(read) }
  })

  /** Who is no owner any more may know the token for another password of anybody. */
  const endResets = (account_id: Id.AccountId) =>
    sql`UPDATE tc.members SET reset_hash = NULL, reset_expires_at = NULL
      WHERE account_id = ${account_id} AND reset_hash IS NOT NULL`

  /** Who may invite nobody any more has invited nobody. */
  const uninvite = (account_id: Id.AccountId, id: Id.MemberId) =>
    sql`DELETE FROM tc.invitations WHERE account_id = ${account_id} AND invited_by = ${id}`

  const setRole = Effect.fnUntraced(function* (account_id: Id.AccountId, id: Id.MemberId, role: Member.Role) {
    const { row, owners } = yield* among(account_id, id)
    const next = Member.withRole(role)(row, Value.timestamp(yield* Clock.currentTimeMillis))
    yield* Effect.fromResult(Member.keepsOwner([...owners, next]))
    if (role !== "owner") yield* uninvite(account_id, id)
    if (row.role === "owner" && role !== "owner") yield* endResets(account_id)
    const [kept] = yield* sql<object>`
      UPDATE tc.members SET role = ${next.role}, updated_at = ${next.updated_at}
      WHERE account_id = ${account_id} AND id = ${id} RETURNING *`
    return decode(plain(kept!))
  })

  const remove = Effect.fnUntraced(function* (account_id: Id.AccountId, id: Id.MemberId) {
    const { row, owners } = yield* among(account_id, id)
    yield* Effect.fromResult(Member.keepsOwner(owners))
    yield* uninvite(account_id, id)
    if (row.role === "owner") yield* endResets(account_id)
    // Their sessions go with them.
    yield* sql`DELETE FROM tc.members WHERE account_id = ${account_id} AND id = ${id}`
  })

  /** Gives another password to the member of a condition. */
  const give = (password_hash: string, now: string, condition: Statement.Fragment) =>
    sql<object>`UPDATE tc.members
      SET password_hash = ${password_hash}, reset_hash = NULL, reset_expires_at = NULL, updated_at = ${now}
      WHERE ${condition} RETURNING *`

  const end = (account_id: Id.AccountId, id: Id.MemberId, keep: Id.SessionId | null) =>
    sql`DELETE FROM tc.sessions
      WHERE account_id = ${account_id} AND member_id = ${id} AND id IS DISTINCT FROM ${keep}::uuid`

  const setPassword = Effect.fnUntraced(function* (
    account_id: Id.AccountId,
    id: Id.MemberId,
    { from, to }: { readonly from: string; readonly to: string },
    keep: Id.SessionId | null,
  ) {
    const now = Value.timestamp(yield* Clock.currentTimeMillis)
    const [row] = yield* give(to, now, sql`account_id = ${account_id} AND id = ${id} AND password_hash = ${from}`)
    if (row === undefined) return yield* Errors.notFound("member", id)
    yield* end(account_id, id, keep)
  })

  const reset = Effect.fnUntraced(function* (token_hash: string, password_hash: string) {
    const now = Value.timestamp(yield* Clock.currentTimeMillis)
    const [row] = yield* give(password_hash, now, sql`reset_hash = ${token_hash} AND reset_expires_at > ${now}`)
    if (row === undefined) return yield* Refusals.noReset()
    const member = decode(plain(row))
    yield* end(member.account_id, member.id, null)
    return member
  })
  return { select, setRole, remove, setPassword, reset }
}

export const layer = Layer.effect(
  Service.Members,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const { select, setRole, remove, setPassword, reset } = make(sql)
    return Service.Members.of({
      create: (member) =>
        Effect.andThen(hold(sql, member.account_id), insert(sql, member)).pipe(
          sql.withTransaction,
          Failure.again,
          Failure.orDie,
        ),
      findByEmail: (email) =>
        sql<object>`SELECT * FROM tc.members WHERE email = ${email} ORDER BY created_at, id`.pipe(
          Effect.map((rows) => rows.map(read)),
          Failure.orDie,
        ),
      list: (account_id) =>
        sql<object>`SELECT * FROM tc.members WHERE account_id = ${account_id} ORDER BY created_at, id`.pipe(
          Effect.map((rows) => rows.map((row) => decode(plain(row)))),
          Failure.orDie,
        ),
      get: (account_id, id) => select(account_id, id).pipe(Failure.orDie),
      roleOf: (account_id, id) =>
        Effect.gen(function* () {
          yield* hold(sql, account_id)
          const [row] = yield* sql<{ readonly role: Member.Role }>`
            SELECT role FROM tc.members WHERE account_id = ${account_id} AND id = ${id}`
          return row?.role ?? null
        }).pipe(Failure.orDie),
      setRole: (account_id, id, role) =>
        setRole(account_id, id, role).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      remove: (account_id, id) => remove(account_id, id).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      offerReset: (account_id, id, { token_hash, expires_at }) =>
        sql<object>`UPDATE tc.members SET reset_hash = ${token_hash}, reset_expires_at = ${expires_at}
          WHERE account_id = ${account_id} AND id = ${id} RETURNING *`.pipe(
          Effect.flatMap(([row]) =>
            row === undefined ? Errors.notFound("member", id) : Effect.succeed(decode(plain(row))),
          ),
          Failure.orDie,
        ),
      findByReset: (token_hash, now) =>
        sql<object>`SELECT * FROM tc.members WHERE reset_hash = ${token_hash} AND reset_expires_at > ${now}`.pipe(
          Effect.map(([row]) => (row === undefined ? null : decode(plain(row)))),
          Failure.orDie,
        ),
      reset: (token_hash, password_hash) =>
        reset(token_hash, password_hash).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      setPassword: (account_id, id, password_hash, keep) =>
        setPassword(account_id, id, password_hash, keep).pipe(sql.withTransaction, Failure.again, Failure.orDie),
    })
  }),
)
