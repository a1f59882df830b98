/** The figures of lists: how long a page takes in an account of half a million products, ours beside the Fastify twin. */
import { Pool } from "undici"
import * as Database from "./Database.ts"
import * as Figure from "./Figure.ts"
import * as HttpApi from "./HttpApi.ts"
import * as Records from "./Records.ts"

/** How many requests, one after the other, make a round; it answers their median. */
const requests = 20

interface Case {
  readonly name: string
  /** The query string. */
  readonly query: string
  /** The condition that the total must count. */
  readonly matching: string
  /** The most milliseconds. */
  readonly ms: number
  readonly small?: boolean
}

const cases: ReadonlyArray<Case> = [
  { name: "page 1 of 500,000", query: "page=1", matching: "true", ms: 60 },
  { name: "q=mug in 500,000", query: "q=mug", matching: "name ILIKE '%mug%'", ms: 60 },
  // What OFFSET 400,000 takes without looking up late: the slower end of what was measured before anything was built.
  { name: "page 20,001 of 500,000", query: "page=20001", matching: "true", ms: 490 },
  { name: "q=mug in 300, beside the 500,000", query: "q=mug", matching: "name ILIKE '%mug%'", ms: 60, small: true },
]

interface Filled {
  readonly api: HttpApi.Running
  readonly databaseUrl: string
}

const fill = async (module: string): Promise<Filled> => {
  const databaseUrl = await Database.create()
  const api = await HttpApi.start(module, databaseUrl)
  await Database.connected(databaseUrl, async (client) => {
    await Records.fill(client, api.products, { account: api.account, store: api.store, count: 500_000 })
    await Records.fill(client, api.products, { account: api.other.account, store: api.other.store, count: 300 })
  })
  return { api, databaseUrl }
}

/** What the database counts, which is what `meta.total` must say. */
const total = async ({ api, databaseUrl }: Filled, { matching, small }: Case) => {
  const account = small ? api.other.account : api.account
  const text = `SELECT count(*)::int AS total FROM ${api.products.name} WHERE account_id = $1 AND ${matching}`
  const { rows } = await Database.connected(databaseUrl, (client) => client.query<{ total: number }>(text, [account]))
  return rows[0]?.total
}

const round = async (filled: Filled, one: Case): Promise<number> => {
  const { url, key, other } = filled.api
  const expected = await total(filled, one)
  const pool = new Pool(url, { connections: 1 })
  const headers = { authorization: `Bearer ${one.small ? other.key : key}` }
  const times: Array<number> = []
  for (let request = 0; request < requests; request++) {
    const start = performance.now()
    const { statusCode, body } = await pool.request({ method: "GET", path: `/api/v1/products?${one.query}`, headers })
    const text = await body.text()
    times.push(performance.now() - start)
    const page: { meta?: { total?: number } } = JSON.parse(text)
    if (statusCode !== 200 || page.meta?.total !== expected)
      throw new Error(`${one.query}: ${statusCode}, total ${page.meta?.total} instead of ${expected}`)
  }
  await pool.close()
  return Figure.median(times)
}

/** Measures each case; yields a line for each. */
export async function* figures(ours: string | undefined): AsyncGenerator<string> {
  const twin = await fill(import.meta.resolve("./FastifyTwin.ts"))
  const own = ours === undefined ? undefined : await fill(ours)
  for (const one of cases) {
    const rounds = await Figure.alternate(() => round(twin, one), own && (() => round(own, one)))
    yield Figure.line({ name: one.name, unit: "ms", target: { ms: one.ms }, ...rounds })
  }
  for (const filled of [twin, own]) await filled?.api.stop()
}
