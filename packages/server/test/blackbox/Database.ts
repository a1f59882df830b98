/** A new database in the PostgreSQL of the test run, and a look into one from beside the servers. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

/** One connection of a test's own. */
export interface Session {
  readonly query: <Row extends object>(text: string, params?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  readonly close: () => Promise<void>
}

export const connect = async (url: URL): Promise<Session> => {
  const scope = Scope.makeUnsafe()
  const client = PgClient.layer({ url: Redacted.make(url.href), maxConnections: 1 })
  const sql = Context.get(await Effect.runPromise(Layer.buildWithScope(client, scope)), SqlClient.SqlClient)
  const session: Session = {
    query: (text, params) => Effect.runPromise(sql.unsafe(text, params)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
  // It is connected only when it is first used.
  await session.query("SELECT 1").catch(async (error: unknown) => {
    await session.close()
    throw error
  })
  return session
}

/** Its URL. */
export const create = async (server: URL = new URL(inject("postgresUrl"))): Promise<URL> => {
  const url = new URL(server)
  const name = `blackbox_${crypto.randomUUID().replaceAll("-", "")}`
  await Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url.href) })),
    Effect.runPromise,
  )
  url.pathname = `/${name}`
  return url
}
