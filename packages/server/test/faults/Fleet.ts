/** Processes of the reference server on one database: they come and go, and what they leave behind is looked at. */
import { randomBytes } from "node:crypto"
import { type Api, connect, type Json, unique } from "../blackbox/Api.ts"
import * as Database from "../blackbox/Database.ts"
import * as Server from "../blackbox/Server.ts"

/** `TC_TEST_LONG` has everything go on for as long as it may be asked for, instead of for as long as it tells anything new. */
export const isLong = process.env["TC_TEST_LONG"] !== undefined

/** Milliseconds that a lease lasts beyond the timeout of an attempt. */
export const LEASE_SLACK_MS = 30_000
/** Milliseconds within which something happens that waits for nothing, on a machine that is busy. */
export const PROMPT_MS = 120_000

/** Milliseconds for a process to answer requests before it ends, and to be gone when it has, on a machine that is busy. */
export const EXIT_MS = 20_000

/** A row of the queue. */
export interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly endpoint_id: string
  readonly event: string
  readonly status: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
  readonly attempt_count: number
  /** When it is due, or its lease runs out; null when it has ended. */
  readonly due_at: Date | null
}

export interface Attempt {
  readonly delivery_id: string
  readonly number: number
  readonly status_code: number | null
  readonly error: string | null
}

/** Deliveries and what became of each of their attempts, for whoever has to find out why. */
export const told = (deliveries: ReadonlyArray<Delivery>, attempts: ReadonlyArray<Attempt>): string =>
  deliveries
    .map(({ id, status }) => {
      const its = attempts.filter(({ delivery_id }) => delivery_id === id)
      return `${id} ${status}: ${its.map(({ status_code, error }) => status_code ?? error).join(", ")}`
    })
    .join("; ")

export interface Fleet {
  /** Asks the database itself. */
  readonly query: Database.Session["query"]
  /** Another connection to it, which is closed at the end. */
  readonly connect: () => Promise<Database.Session>
  /** All deliveries, oldest first. */
  readonly deliveries: () => Promise<ReadonlyArray<Delivery>>
  /** All attempts that were written down, in the order of their deliveries and numbers. */
  readonly attempts: () => Promise<ReadonlyArray<Attempt>>
  /** Starts a process, and waits until it is ready. */
  readonly start: (role: "api" | "worker" | "all", env?: Server.Environment) => Promise<Server.Server>
}

/** Starts under way at once: more would only make each of them slower. The others wait in their order. */
const STARTS = 3
const waiting: Array<() => void> = []
let starting = 0

const start = async (env: Server.Environment): Promise<Server.Server> => {
  if (starting < STARTS) starting += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  return Server.start(env).finally(() => {
    const next = waiting.shift()
    if (next === undefined) starting -= 1
    else next()
  })
}

/** Runs something on a database that nobody uses yet, and ends all processes that it started and left running. */
export const using = async <A>(
  settings: Server.Environment,
  database: URL,
  run: (fleet: Fleet) => Promise<A>,
): Promise<A> => {
  const env = {
    DATABASE_URL: database.href,
    TC_SECRET_KEY: randomBytes(32).toString("base64"),
    TC_BOOTSTRAP_API_KEY: Server.newKey(),
    TC_DATABASE_CONNECTIONS: "5",
    ...settings,
  }
  const sessions: Array<Database.Session> = []
  const members: Array<Server.Server> = []
  const open = async () => {
    const session = await Database.connect(database)
    sessions.push(session)
    return session
  }
  const end = async () => {
    await Promise.all(members.filter((member) => member.isRunning()).map((member) => member.kill()))
    await Promise.all(sessions.map((session) => session.close()))
  }
  const session = await open()
  const fleet: Fleet = {
    connect: open,
    query: session.query,
    deliveries: () =>
      session.query(
        `SELECT id, event_id, endpoint_id, event, status, attempt_count,
          CASE WHEN status IN ('pending', 'delivering') THEN coalesce(due_at, lease_until) END AS due_at
        FROM tc.deliveries ORDER BY id`,
      ),
    attempts: () =>
      session.query("SELECT delivery_id, number, status_code, error FROM tc.attempts ORDER BY delivery_id, number"),
    start: async (role, more = {}) => {
      const member = await start({ ...env, TC_ROLE: role, ...more })
      members.push(member)
      return member
    },
  }
  return run(fleet).finally(end)
}

export const apiOf = ({ key, url }: Server.Server): Api => connect(url, key)

/** Something that is told of: an asset, whose creation is an event of its own. */
export const happen = (api: Api, kind: "clipart" | "font" = "clipart"): Promise<Json> =>
  api.create("assets", { name: unique(), asset_type: kind })

/** What a process says of itself: the value of a metric, all of its lines together where no attribute is named. */
export const metric = async ({ url }: Server.Server, name: string, attribute = ""): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split("\n").filter((line) => line.startsWith(name) && line.includes(attribute))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0)
}
