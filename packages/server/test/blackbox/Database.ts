/** A new database in the PostgreSQL of the test run. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

/** Its URL. */
export const create = async (): Promise<URL> => {
  const url = new URL(inject("postgresUrl"))
  const name = `blackbox_${crypto.randomUUID().replaceAll("-", "")}`
  await Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url.href) })),
    Effect.runPromise,
  )
  url.pathname = `/${name}`
  return url
}
