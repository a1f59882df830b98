/** API keys in PostgreSQL. */
import { ApiKey, Errors, type Id, Limits, Page, Value } from "@tc/domain"
import { Clock, Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../ApiKeys.ts"
import * as Refusals from "../Refusals.ts"
import * as Failure from "./Failure.ts"
import { joining } from "./Members.ts"
import { plain } from "./Table.ts"

const decodeRow = Schema.decodeUnknownSync(ApiKey.Row)
const decodeKey = Schema.decodeUnknownSync(ApiKey.ApiKey)

export const layer = Layer.effect(
  Service.ApiKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const its = (account_id: Id.AccountId, id: string) => sql`account_id = ${account_id} AND id = ${id}`
    /** Keeps a key, unless there is one with its hash. Part of a transaction that holds the account: so no more are kept than it may have. */
    const insert = Effect.fnUntraced(function* (key: ApiKey.Row, now: string) {
      const { account_id, hash } = key
      const [same] = yield* sql<object>`SELECT * FROM tc.api_keys WHERE account_id = ${account_id} AND hash = ${hash}`
      if (same !== undefined) return decodeKey(plain(same))
      const active = yield* sql`SELECT 1 FROM tc.api_keys WHERE account_id = ${account_id}
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}) LIMIT ${Limits.API_KEYS_MAX}`
      if (active.length >= Limits.API_KEYS_MAX) return yield* Refusals.tooManyApiKeys()
      const [row] = yield* sql<object>`
        INSERT INTO tc.api_keys ${sql.insert({ ...key, scopes: JSON.stringify(key.scopes) })} RETURNING *`
      return decodeKey(plain(row!))
    })
    return Service.ApiKeys.of({
      create: (key) =>
        Effect.gen(function* () {
          yield* joining.hold(sql, key.account_id)
          return yield* insert(key, Value.timestamp(yield* Clock.currentTimeMillis))
        }).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      findByPrefix: (prefix) =>
        sql.unsafe<object>("SELECT * FROM tc.api_keys WHERE prefix = $1", [prefix]).pipe(
          Effect.map((rows) => rows.map((row) => decodeRow(plain(row)))),
          Failure.orDie,
        ),
      get: (account_id, id) =>
        Effect.gen(function* () {
          const [row] = yield* sql<object>`SELECT * FROM tc.api_keys WHERE ${its(account_id, id)}`
          return row === undefined ? yield* Errors.notFound("api_key", id) : decodeKey(plain(row))
        }).pipe(Failure.orDie),
      list: (account_id, request) =>
        Effect.gen(function* () {
          const { page, per_page } = request
          const rows = yield* sql<object>`SELECT * FROM tc.api_keys WHERE account_id = ${account_id}
            ORDER BY created_at DESC, id DESC LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`
          const [count] = yield* sql<{ readonly total: number }>`
            SELECT count(*)::int AS total FROM tc.api_keys WHERE account_id = ${account_id}`
          return Page.make(
            request,
            rows.map((row) => decodeKey(plain(row))),
            count!.total,
          )
        }).pipe(Failure.orDie),
      revoke: (account_id, id) =>
        Effect.gen(function* () {
          const now = Value.timestamp(yield* Clock.currentTimeMillis)
          const [row] = yield* sql<object>`UPDATE tc.api_keys SET revoked_at = coalesce(revoked_at, ${now})
            WHERE ${its(account_id, id)} RETURNING *`
          return row === undefined ? yield* Errors.notFound("api_key", id) : decodeKey(plain(row))
        }).pipe(Failure.orDie),
      replace: (account_id, id, by, until) =>
        Effect.gen(function* () {
          yield* joining.hold(sql, account_id)
          const [row] = yield* sql<object>`SELECT * FROM tc.api_keys WHERE ${its(account_id, id)} FOR UPDATE`
          const now = Value.timestamp(yield* Clock.currentTimeMillis)
          if (row === undefined) return yield* Errors.notFound("api_key", id)
          yield* Effect.fromResult(Result.mapError(ApiKey.usable(decodeKey(plain(row)), now), Refusals.keyNotActive))
          yield* sql`UPDATE tc.api_keys SET expires_at = least(expires_at, ${until}) WHERE ${its(account_id, id)}`
          return yield* insert({ ...by, account_id }, now)
        }).pipe(sql.withTransaction, Failure.again, Failure.orDie),
      touch: (uses) =>
        sql`
          UPDATE tc.api_keys k SET last_used_at = u.last_used_at
          FROM unnest(${uses.map((use) => use.account_id)}::uuid[], ${uses.map(({ id }) => id)}::uuid[], ${uses.map((use) => use.last_used_at)}::timestamptz[])
            AS u (account_id, id, last_used_at)
          WHERE k.account_id = u.account_id AND k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.last_used_at)`.pipe(
          Effect.asVoid,
          Failure.orDie,
        ),
    })
  }),
)
