/** A database of its own for a test file, in the PostgreSQL of the test run. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { migrate } from "../src/postgres/index.ts"

/** A client of the database at an address. */
export const client = (url: string) => PgClient.layer({ url: Redacted.make(url), multiplex: true, maxConnections: 10 })

/** The address of a new database, empty, in a locale of its own where one is given. */
export const create = (locale?: "C") =>
  Effect.gen(function* () {
    const server = inject("postgresUrl")
    const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
    const options = locale === undefined ? "" : ` TEMPLATE template0 LOCALE '${locale}'`
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${name}${options}`)).pipe(
      Effect.provide(client(server)),
    )
    const url = new URL(server)
    url.pathname = `/${name}`
    return url.href
  })

/** A client on a new database, with the schema as `prepare` leaves it, in a locale of its own where one is given. */
export const layer = (prepare: Effect.Effect<unknown, unknown, SqlClient.SqlClient> = migrate, locale?: "C") =>
  Layer.unwrap(
    Effect.map(create(locale), (url) => Layer.effectDiscard(prepare).pipe(Layer.provideMerge(client(url)))),
  ).pipe(Layer.orDie)
