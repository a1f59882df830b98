/** Sessions in PostgreSQL. */
import { Limits, Session } from "@tc/domain"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Sessions.ts"
import * as Failure from "./Failure.ts"
import * as Members from "./Members.ts"
import * as Pruning from "./Pruning.ts"
import { plain } from "./Table.ts"

const decode = Schema.decodeUnknownSync(Session.Session)

/** A member beside the columns of a session of theirs that have other values. */
const findText = `
  SELECT m.*, m.id AS member_id, s.id AS session_id, s.token_hash, s.last_seen_at AS session_seen_at, s.created_at AS session_created_at
  FROM tc.sessions s JOIN tc.members m ON m.account_id = s.account_id AND m.id = s.member_id WHERE s.token_hash = $1`

/** The member first, then the session, as a removal goes about it: so that no two wait for each other. */
const touchText = `
  WITH seen AS (
    UPDATE tc.members m SET last_seen_at = greatest(m.last_seen_at, $3) FROM tc.sessions s
    WHERE s.account_id = $1 AND s.id = $2 AND s.last_seen_at < $3 AND m.account_id = s.account_id AND m.id = s.member_id
    RETURNING m.account_id, m.id
  )
  UPDATE tc.sessions s SET last_seen_at = $3 FROM seen m
  WHERE s.account_id = m.account_id AND s.member_id = m.id AND s.id = $2 AND s.last_seen_at < $3`

/** The oldest sessions of a member but those that they may have beside the session $3. */
const endOldestText = `
  DELETE FROM tc.sessions WHERE account_id = $1 AND id IN (
    SELECT id FROM tc.sessions WHERE account_id = $1 AND member_id = $2 AND id <> $3
    ORDER BY created_at DESC, id DESC OFFSET ${Limits.SESSIONS_MAX - 1}
  )`

const foundOf = (row: object): Service.Found => {
  const values = plain(row)
  const { session_id: id, session_seen_at: last_seen_at, session_created_at: created_at } = values
  return { session: decode({ ...values, id, last_seen_at, created_at }), member: Members.decode(values) }
}

export const layer = Layer.effect(
  Service.Sessions,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Service.Sessions.of({
      create: (session, password_hash) =>
        Effect.gen(function* () {
          const { account_id, member_id, last_seen_at } = session
          // The update holds the member, so that nobody removes them before the session is there to go as well.
          const [member] = yield* sql`UPDATE tc.members SET last_seen_at = greatest(last_seen_at, ${last_seen_at})
            WHERE account_id = ${account_id} AND id = ${member_id} AND password_hash = ${password_hash} RETURNING id`
          if (member === undefined) return false
          yield* sql`INSERT INTO tc.sessions ${sql.insert(session)}`
          yield* sql.unsafe(endOldestText, [account_id, member_id, session.id])
          return true
        }).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      find: (token_hash) =>
        sql.unsafe<object>(findText, [token_hash]).pipe(
          Effect.map(([row]) => (row === undefined ? null : foundOf(row))),
          Failure.orDie,
        ),
      touch: ({ account_id, id, last_seen_at }) =>
        sql.unsafe(touchText, [account_id, id, last_seen_at]).pipe(Effect.asVoid, Failure.orDie),
      end: (account_id, id) =>
        sql`DELETE FROM tc.sessions WHERE account_id = ${account_id} AND id = ${id}`.pipe(Effect.asVoid, Failure.orDie),
      prune: (before) =>
        Pruning.prune(sql, "sessions", "account_id, id", "created_at < $1 OR last_seen_at < $2", [
          before.created_at,
          before.last_seen_at,
        ]).pipe(Failure.orDie),
    }),
  ),
)
