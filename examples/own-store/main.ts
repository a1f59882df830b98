/**
 * A storage of our own: API keys live in the application's SQLite, all else where it was. To replace a service is to provide
 * another layer of it; `main.test.ts` puts the result to the contract suite. Run that: `npm test -- --project examples own-store`.
 */
import { ApiKey, Errors, Limits, Page, Value } from "@tc/domain"
import { ApiKeys, layerMemory } from "@tc/store"
import { Clock, Effect, Layer, Result, Schema, Struct } from "effect"
import type { DatabaseSync } from "node:sqlite"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ApiKey.Row))
/** All that `run` does, or nothing of it. SQLite answers at once, so that nobody comes between. */
const transaction = <A, E>(db: DatabaseSync, run: () => Result.Result<A, E>): Result.Result<A, E> => {
  db.exec("BEGIN")
  try {
    const answer = run()
    db.exec(Result.isSuccess(answer) ? "COMMIT" : "ROLLBACK")
    return answer
  } catch (error) {
    db.exec("ROLLBACK")
    throw error
  }
}

const keyNotActive = () =>
  new Errors.Conflict({ code: "key_not_active", message: "The API key is revoked or has expired." })
const tooManyApiKeys = () =>
  new Errors.Conflict({ code: "too_many_api_keys", message: `${Limits.API_KEYS_MAX} API keys are active.` })
const show = (row: ApiKey.Row): ApiKey.ApiKey => Struct.omit(row, ["hash"])

const make = (db: DatabaseSync): ApiKeys["Service"] => {
  db.exec(`CREATE TABLE IF NOT EXISTS api_keys (key TEXT, account_id AS (key ->> 'account_id'), id AS (key ->> 'id'),
    prefix AS (key ->> 'prefix'), hash AS (key ->> 'hash'), UNIQUE (account_id, id), UNIQUE (account_id, hash))`)
  const query = (sql: TemplateStringsArray, ...values: ReadonlyArray<string>) =>
    db
      .prepare(sql.join("?"))
      .all(...values)
      .map(({ key }) => decode(key))
  const keys = (...statement: Parameters<typeof query>) => Effect.sync(() => query(...statement))
  const find = (account_id: string, id: string) => {
    const [row] = query`SELECT key FROM api_keys WHERE account_id = ${account_id} AND id = ${id}`
    return Result.fromNullishOr(row, () => Errors.notFound("api_key", id))
  }
  const insert = (row: ApiKey.Row, now: string) => {
    const [same] = query`SELECT key FROM api_keys WHERE account_id = ${row.account_id} AND hash = ${row.hash}`
    if (same !== undefined) return Result.succeed(show(same))
    const all = query`SELECT key FROM api_keys WHERE account_id = ${row.account_id}`
    const active = all.filter((one) => Result.isSuccess(ApiKey.usable(one, now)))
    if (active.length >= Limits.API_KEYS_MAX) return Result.fail(tooManyApiKeys())
    const [kept = row] = query`INSERT INTO api_keys (key) VALUES (${JSON.stringify(row)}) RETURNING key`
    return Result.succeed(show(kept))
  }
  const replace = (account_id: string, id: string, by: ApiKey.Row, until: string, now: string) =>
    Result.gen(function* () {
      const old = yield* find(account_id, id)
      yield* Result.mapError(ApiKey.usable(old, now), keyNotActive)
      const ends = old.expires_at !== null && old.expires_at < until ? old.expires_at : until
      const end = "UPDATE api_keys SET key = json_set(key, '$.expires_at', ?) WHERE account_id = ? AND id = ?"
      db.prepare(end).run(ends, account_id, id)
      return yield* insert(by, now)
    })
  return {
    create: (row) =>
      Effect.flatMap(Clock.currentTimeMillis, (millis) => Effect.fromResult(insert(row, Value.timestamp(millis)))),
    findByPrefix: (prefix) => keys`SELECT key FROM api_keys WHERE prefix = ${prefix}`,
    get: (account_id, id) => Effect.suspend(() => Effect.fromResult(Result.map(find(account_id, id), show))),
    list: (account_id, request) =>
      Effect.map(
        keys`SELECT key FROM api_keys WHERE account_id = ${account_id} ORDER BY key ->> 'created_at' DESC, id DESC`,
        (rows) => {
          const start = (request.page - 1) * request.per_page
          return Page.make(request, rows.slice(start, start + request.per_page).map(show), rows.length)
        },
      ),
    revoke: Effect.fnUntraced(function* (account_id, id) {
      const now = Value.timestamp(yield* Clock.currentTimeMillis)
      const [row] = yield* keys`UPDATE api_keys
        SET key = json_set(key, '$.revoked_at', coalesce(key ->> 'revoked_at', ${now}))
        WHERE account_id = ${account_id} AND id = ${id} RETURNING key`
      return row === undefined ? yield* Errors.notFound("api_key", id) : show(row)
    }),
    replace: Effect.fnUntraced(function* (account_id, id, by, until) {
      const now = Value.timestamp(yield* Clock.currentTimeMillis)
      const replaced = () => transaction(db, () => replace(account_id, id, { ...by, account_id }, until, now))
      return yield* Effect.suspend(() => Effect.fromResult(replaced()))
    }),
    touch: Effect.forEach(
      ({ account_id, id, last_used_at: at }) => keys`UPDATE api_keys SET key = json_set(key, '$.last_used_at', ${at})
        WHERE account_id = ${account_id} AND id = ${id} AND coalesce(key ->> 'last_used_at', '') < ${at} RETURNING key`,
      { discard: true },
    ),
  }
}

/** The storage in memory with its keys in `db`: where two layers have the same service, the later one counts. */
export const layer = (db: DatabaseSync) => layerMemory.pipe(Layer.merge(Layer.sync(ApiKeys, () => make(db))))
