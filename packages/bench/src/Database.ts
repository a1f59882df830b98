/** Fresh databases, one for each contender: on the PostgreSQL of BENCH_DATABASE_URL, else on one that lasts as long as the run. */
import { EmbeddedPostgres } from "@tc/server/node"
import { Effect, Exit, Redacted, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"

const created: Array<string> = []

const given = process.env["BENCH_DATABASE_URL"]
let address: Promise<string> | undefined
/** Ends the PostgreSQL that was started here. */
let end = async (): Promise<void> => {}

/** Starts a PostgreSQL with default durability. Its data is on the disk of the temporary directory. */
const start = async (): Promise<string> => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tc-bench-"))
  await chmod(dataDir, 0o711)
  const scope = Scope.makeUnsafe()
  const connection = await Effect.runPromise(Scope.provide(EmbeddedPostgres.make({ dataDir }), scope))
  end = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(dataDir, { recursive: true, force: true })
  }
  return Redacted.value(connection.url)
}

const server = (): Promise<string> => (address ??= given === undefined ? start() : Promise.resolve(given))

/** Runs `use` with a connection of its own. */
export const connected = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Creates an empty database; answers its URL. Rejects where the server does not keep what it commits. */
export const create = async (): Promise<string> =>
  connected(await server(), async (client) => {
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
      const { rows } = await client.query<Record<string, string>>(`SHOW ${setting}`)
      if (rows[0]?.[setting] !== "on") throw new Error(`${setting} must be on: the figures are about durable work`)
    }
    const name = `bench_${randomUUID().replaceAll("-", "")}`
    await client.query(`CREATE DATABASE ${name}`)
    created.push(name)
    const url = new URL(await server())
    url.pathname = name
    return url.href
  })

/** The version of the server. */
export const version = async (): Promise<string> =>
  connected(await server(), async (client) => {
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version")
    return rows[0]?.server_version.split(" ")[0] ?? "unknown"
  })

/** Milliseconds after which a connection has told what it did, however idle it is. */
const STATISTICS_MS = 10_500

/** Transactions committed in these databases so far; each statement outside a transaction is one. Takes ten seconds. */
export const commits = async (urls: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
  await setTimeout(STATISTICS_MS)
  return connected(await server(), async (client) => {
    const { rows } = await client.query<{ datname: string; commits: number }>(
      "SELECT datname, xact_commit::int AS commits FROM pg_stat_database WHERE datname IS NOT NULL",
    )
    return urls.map((url) => rows.find(({ datname }) => new URL(url).pathname === `/${datname}`)?.commits ?? Number.NaN)
  })
}

let dropping: Promise<void> | undefined

/** Drops every database it created, whoever is still connected, and ends what it started; once, however often it is called. */
export const dropAll = (): Promise<void> => (dropping ??= drop())

const drop = async (): Promise<void> => {
  if (created.length > 0) {
    await connected(await server(), async (client) => {
      for (const name of created.splice(0)) {
        // Autovacuum is a superuser's, and FORCE may not end it; without, PostgreSQL asks it to end, and waits.
        const drop = `DROP DATABASE ${name}`
        await client.query(`${drop} WITH (FORCE)`).catch(() => client.query(drop))
      }
    })
  }
  await end()
}
