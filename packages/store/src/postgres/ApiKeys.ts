/** API keys in PostgreSQL. */
import { ApiKey, Errors, Value } from "@tc/domain"
import { Clock, Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../ApiKeys.ts"
import * as Refusals from "../Refusals.ts"
import * as Failure from "./Failure.ts"
import { plain } from "./Table.ts"

const decodeRow = Schema.decodeUnknownSync(ApiKey.Row)
const decodeKey = Schema.decodeUnknownSync(ApiKey.ApiKey)

export const layer = Layer.effect(
  Service.ApiKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const insert = (key: ApiKey.Row) =>
      sql<object>`
        INSERT INTO tc.api_keys ${sql.insert({ ...key, scopes: JSON.stringify(key.scopes) })}
        ON CONFLICT (account_id, hash) DO UPDATE SET hash = excluded.hash RETURNING *`.pipe(
        Effect.map(([row]) => decodeKey(plain(row!))),
      )
    return Service.ApiKeys.of({
      create: (key) => insert(key).pipe(Failure.orDie),
      findByPrefix: (prefix) =>
        sql.unsafe<object>("SELECT * FROM tc.api_keys WHERE prefix = $1", [prefix]).pipe(
          Effect.map((rows) => rows.map((row) => decodeRow(plain(row)))),
          Failure.orDie,
        ),
      list: (account_id) =>
        sql<object>`SELECT * FROM tc.api_keys WHERE account_id = ${account_id} ORDER BY created_at DESC, id DESC`.pipe(
          Effect.map((rows) => rows.map((row) => decodeKey(plain(row)))),
          Failure.orDie,
        ),
      revoke: (account_id, id) =>
        Effect.gen(function* () {
          const now = Value.timestamp(yield* Clock.currentTimeMillis)
          const [row] = yield* sql<object>`UPDATE tc.api_keys SET revoked_at = coalesce(revoked_at, ${now})
            WHERE account_id = ${account_id} AND id = ${id} RETURNING *`
          return row === undefined ? yield* Errors.notFound("api_key", id) : decodeKey(plain(row))
        }).pipe(Failure.orDie),
      replace: (account_id, id, by, until) =>
        Effect.gen(function* () {
          const now = Value.timestamp(yield* Clock.currentTimeMillis)
          const its = sql`account_id = ${account_id} AND id = ${id}`
          const [row] = yield* sql<object>`SELECT * FROM tc.api_keys WHERE ${its} FOR UPDATE`
          if (row === undefined) return yield* Errors.notFound("api_key", id)
          yield* Effect.fromResult(Result.mapError(ApiKey.usable(decodeKey(plain(row)), now), Refusals.keyNotActive))
          yield* sql`UPDATE tc.api_keys SET expires_at = least(expires_at, ${until}) WHERE ${its}`
          return yield* insert({ ...by, account_id })
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
