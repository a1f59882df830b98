/** Fresh databases on the PostgreSQL of BENCH_DATABASE_URL, one for each contender, dropped at the end. */
import { randomUUID } from "node:crypto"
import { Client } from "pg"

const created: Array<string> = []

const server = (): string => {
  const url = process.env["BENCH_DATABASE_URL"]
  if (url === undefined) throw new Error("BENCH_DATABASE_URL must name a PostgreSQL 18 where databases may be created")
  return url
}

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
export const create = (): Promise<string> =>
  connected(server(), async (client) => {
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
      const { rows } = await client.query<Record<string, string>>(`SHOW ${setting}`)
      if (rows[0]?.[setting] !== "on") throw new Error(`${setting} must be on: the figures are about durable work`)
    }
    const name = `bench_${randomUUID().replaceAll("-", "")}`
    await client.query(`CREATE DATABASE ${name}`)
    created.push(name)
    const url = new URL(server())
    url.pathname = name
    return url.href
  })

/** Drops every database it created, whoever is still connected. */
export const dropAll = async (): Promise<void> => {
  if (created.length === 0) return
  await connected(server(), async (client) => {
    for (const name of created.splice(0)) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
  })
}
