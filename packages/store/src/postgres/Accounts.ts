/** Accounts in PostgreSQL. */
import { Account } from "@tc/domain"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Accounts.ts"
import * as Ids from "../Ids.ts"
import * as Refusals from "../Refusals.ts"
import * as Failure from "./Failure.ts"
import { plain } from "./Table.ts"

const decode = Schema.decodeUnknownSync(Account.Account)

export const layer = Layer.effect(
  Service.Accounts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const nextId = Ids.make()

    /** The account, or undefined where the name is in use. */
    const insert = Effect.fnUntraced(function* (name: string) {
      const millis = yield* Clock.currentTimeMillis
      const row = { id: nextId(millis), name, created_at: new Date(millis).toISOString() }
      const rows =
        yield* sql<object>`INSERT INTO tc.accounts ${sql.insert(row)} ON CONFLICT (name) DO NOTHING RETURNING *`
      return rows.map((found) => decode(plain(found)))[0]
    })
    const find = Effect.fnUntraced(function* (name: string) {
      const [row] = yield* sql<object>`SELECT * FROM tc.accounts WHERE name = ${name}`
      return row === undefined ? yield* Refusals.noAccount(name) : decode(plain(row))
    })

    return Service.Accounts.of({
      create: (name) =>
        Effect.gen(function* () {
          return (yield* insert(name)) ?? (yield* Refusals.nameTaken(name))
        }).pipe(Failure.orDie),
      get: (id) =>
        Effect.gen(function* () {
          const [row] = yield* sql<object>`SELECT * FROM tc.accounts WHERE id = ${id}`
          return row === undefined ? yield* Refusals.noAccountOf(id) : decode(plain(row))
        }).pipe(Failure.orDie),
      getByName: (name) => find(name).pipe(Failure.orDie),
      // An account is never removed, so that after a lost race the name is there to be found.
      ensure: (name) =>
        Effect.gen(function* () {
          return (yield* insert(name)) ?? (yield* find(name))
        }).pipe(Failure.orDie, Effect.catchTag("NotFound", Effect.die)),
      list: sql<object>`SELECT * FROM tc.accounts ORDER BY created_at, id`.pipe(
        Effect.map((rows) => rows.map((row) => decode(plain(row)))),
        Failure.orDie,
      ),
    })
  }),
)
