/**
 * A storage of our own: API keys live in the application's SQLite, all else where it was. To replace a service is to provide
 * another layer of it; `main.test.ts` puts the result to the contract suite. Run that: `npm test -- --project examples own-store`.
 */
import { ApiKey, Errors, Value } from "@tc/domain"
import { ApiKeys, layerMemory } from "@tc/store"
import { Clock, Effect, Layer, Result, Schema, Struct } from "effect"
import type { DatabaseSync } from "node:sqlite"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ApiKey.Row))
/** All that `run` does, or nothing of it. SQLite answers at once, so that nobody comes between. */
const transaction = <A>(db: DatabaseSync, run: () => A): A => {
  db.exec("BEGIN")
  try {
    const answer = run()
    db.exec("COMMIT")
    return answer
  } catch (error) {
    db.exec("ROLLBACK")
    throw error
  }
}

const keyNotActive = () =>
  new Errors.Conflict({ code: "key_not_active", message: "The API key is revoked or has expired." })
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
  const insert = (row: ApiKey.Row) => {
    const [kept = row] = query`INSERT INTO api_keys (key) VALUES (${JSON.stringify(row)})
      ON CONFLICT (account_id, hash) DO UPDATE SET key = key RETURNING key`
    return show(kept)
  }
  const replace = (account_id: string, id: string, by: ApiKey.Row, until: string, now: string) =>
    Result.gen(function* () {
      const [old] = query`SELECT key FROM api_keys WHERE account_id = ${account_id} AND id = ${id}`
      if (old === undefined) return yield* Result.fail(Errors.notFound("api_key", id))
      yield* Result.mapError(ApiKey.usable(old, now), keyNotActive)
      const ends = old.expires_at !== null && old.expires_at < until ? old.expires_at : until
      const end = "UPDATE api_keys SET key = json_set(key, '$.expires_at', ?) WHERE account_id = ? AND id = ?"
      db.prepare(end).run(ends, account_id, id)
      return insert(by)
    })
  return {
    create: (row) => Effect.sync(() => insert(row)),
    findByPrefix: (prefix) => keys`SELECT key FROM api_keys WHERE prefix = ${prefix}`,
    list: (account_id) =>
      keys`SELECT key FROM api_keys WHERE account_id = ${account_id}
        ORDER BY key ->> 'created_at' DESC, id DESC`.pipe(Effect.map((rows) => rows.map(show))),
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
