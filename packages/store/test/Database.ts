/** A database of its own for a test file, in the PostgreSQL of the test run. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { migrate } from "../src/postgres/index.ts"

const client = (url: string) => PgClient.layer({ url: Redacted.make(url), multiplex: true, maxConnections: 10 })

/** A client on a new database, with the schema as `prepare` leaves it, in a locale of its own where one is given. */
export const layer = (prepare: Effect.Effect<unknown, unknown, SqlClient.SqlClient> = migrate, locale?: "C") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const server = inject("postgresUrl")
      const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
      const options = locale === undefined ? "" : ` TEMPLATE template0 LOCALE '${locale}'`
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${name}${options}`)).pipe(
        Effect.provide(client(server)),
      )
      const url = new URL(server)
      url.pathname = `/${name}`
      return Layer.effectDiscard(prepare).pipe(Layer.provideMerge(client(url.href)))
    }),
  ).pipe(Layer.orDie)
