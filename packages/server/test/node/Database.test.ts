/** The client of a PostgreSQL: its limits, and a pooler that takes none. */
import { assert, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { inject } from "vitest"
import * as Database from "../../src/node/Database.ts"

const url = new URL(inject("postgresUrl"))

/** What the session of a client has for a setting. */
const setting = (url: URL, name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT current_setting(${name}) AS value`).pipe(
    Effect.map(([row]) => row?.["value"]),
    Effect.provide(Database.layer({ url: Redacted.make(url.href) })),
  )

it.live("ends statements that take too long, and transactions that nobody goes on with", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* setting(url, "statement_timeout"), "30s")
    assert.strictEqual(yield* setting(url, "idle_in_transaction_session_timeout"), "20s")
  }),
)

/** As PgBouncer refuses what it does not know: an error message of the protocol, and the end. */
const refusal = (() => {
  const fields = Buffer.from("SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0")
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
})()

/** A way to PostgreSQL that refuses sessions with limits. */
const pooler = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((near: Socket) => {
      near
        .on("error", () => {})
        .once("data", (startup) => {
          if (startup.includes("statement_timeout")) return near.end(refusal)
          const far = connect(Number(url.port), url.hostname)
          far.on("error", () => {}).write(startup)
          near.pipe(far).pipe(near)
        })
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.sync(() => server.close()),
)

it.live("does without limits where a pooler refuses them, and says so", () => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    const way = new URL(url)
    way.host = `127.0.0.1:${((yield* pooler).address() as AddressInfo).port}`
    assert.strictEqual(yield* setting(way, "statement_timeout"), "0")
    assert.match(logged.join("\n"), /takes no statement_timeout/)
  }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => logged.push(String(message)))])))
})
