/** A PostgreSQL that is cut off, restarted, crashes, runs out of connections and freezes, one after the other, under load. */
import { assert, it } from "vitest"
import { type Api, unique } from "../blackbox/Api.ts"
import * as Database from "../blackbox/Database.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { begin, pause, until } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"
import * as Postgres from "./Postgres.ts"

const TIMEOUT_MS = 5_000
/** Every answer comes within this time, whatever becomes of the database. */
const ANSWER_MS = 30_000
/** Attempts under way and results not written yet at any moment, at most: each of four callers waits for its answer. */
const UNDER_WAY = 16
/** Milliseconds between two calls of a caller. */
const PAUSE_MS = 50
/** Connections that the database takes: enough for the servers, and soon used up. */
const CONNECTIONS = 30

/** What is done to the database. */
export type Trouble = "kills" | "restart" | "crash" | "crowd" | "freeze"

/** Answers once it is over; `refused` waits until all servers have refused something. */
type Make = (postgres: Postgres.Postgres, refused: () => Promise<unknown>) => Promise<void>

const KILL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tc-server'"

/** Ends what the servers have, and waits until each is gone. */
const END = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'tc-server'"

/** Takes every connection there is, until none is left to the servers. */
const crowd = async ({ url }: Postgres.Postgres): Promise<ReadonlyArray<Database.Session>> => {
  const sessions: Array<Database.Session> = []
  const take = async () => {
    const all = Array.from({ length: CONNECTIONS }, () => Database.connect(url).catch(() => undefined))
    for (const session of await Promise.all(all)) if (session !== undefined) sessions.push(session)
  }
  await until(
    "no connection is left to the servers",
    async () => {
      const [first] = sessions
      if (first === undefined) return take().then(() => false)
      const ending = first.query(END)
      // All the while, and many at once: a place that falls free is wanted by the server that had it, too.
      for (;;) {
        const taking = take()
        const ended = await Promise.race([ending, taking.then(() => null)])
        await taking
        if (ended !== null) return ended.length === 0
      }
    },
    Fleet.PROMPT_MS,
  )
  return sessions
}

/** Longer than the silence that is borne, than any statement may take, and than a lease lasts. */
const FREEZE_MS = Fleet.isLong ? 60_000 : 40_000

const troubles: Readonly<Record<Trouble, Make>> = {
  kills: async ({ url }) => {
    const session = await Database.connect(url)
    for (let nth = 0; nth < 20; nth++) {
      await session.query(KILL)
      await pause(100)
    }
    await session.close()
  },
  restart: async ({ start, stop }, refused) => {
    await stop("SIGINT")
    await refused()
    await start()
  },
  crash: async ({ start, stop }) => {
    await stop("SIGQUIT")
    await start()
  },
  crowd: async (postgres, refused) => {
    const sessions = await crowd(postgres)
    await refused()
    await Promise.all(sessions.map((session) => session.close()))
  },
  freeze: async ({ freeze }) => {
    const thaw = await freeze()
    await pause(FREEZE_MS)
    thaw()
  },
}

const settings = { TC_WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms`, TC_WEBHOOK_SCHEDULE: "0s,500ms,1s,1s,1s,1s" }
const limits = { max_connections: String(CONNECTIONS), superuser_reserved_connections: "0" }

/** Calls of which each is answered. */
interface Call {
  readonly id: string
  readonly url: string
  readonly status: number
  readonly millis: number
  readonly trouble: Trouble | null
}

/** Two processes that answer and deliver and one that only delivers, while these troubles happen. Begins at once. */
export const ordeal = (receiver: Receiver.Receiver, ...given: ReadonlyArray<Trouble>) => {
  const run = async (fleet: Fleet.Fleet, postgres: Postgres.Postgres) => {
    const one = await fleet.start("all")
    const [other, delivering] = await Promise.all([fleet.start("all"), fleet.start("worker")])
    const servers = [one, other, delivering]
    const apis = [Fleet.apiOf(one), Fleet.apiOf(other)] as const
    const well = receiver.hook()
    const hooks = [well, receiver.hook(Receiver.inTurn(Receiver.status(503), Receiver.status(204)))]
    for (const { url } of hooks) await apis[0].create("webhook_endpoints", { url, events: ["asset.created"] })

    const calls: Array<Call> = []
    let trouble: Trouble | null = null
    let isOver = false
    const call = async (api: Api): Promise<void> => {
      const id = crypto.randomUUID()
      const during = trouble
      const began = performance.now()
      const { status } = await api.request("POST", "assets", { id, name: unique(), asset_type: "clipart" })
      calls.push({ id, url: api.url, status, millis: performance.now() - began, trouble: during })
      await pause(PAUSE_MS)
      return isOver ? undefined : call(api)
    }
    const callers = Promise.all([...apis, ...apis].map(call))
    for (const next of given) {
      trouble = next
      const refused = () =>
        until("both refuse", () =>
          apis.every(({ url }) => calls.some((one) => one.url === url && one.trouble === next && one.status === 503)),
        )
      await troubles[next](postgres, refused)
      trouble = null
      const since = calls.length
      await until("both accept, and what they accept is delivered", () =>
        apis.every(({ url }) =>
          calls.slice(since).some((made) => made.url === url && made.status === 201 && well.about(made.id).length > 0),
        ),
      )
    }
    isOver = true
    await callers
    // What nobody was told of, for its answer was lost, is another's once its lease has run out.
    const deliveries = await until(
      "every delivery has ended",
      async () => {
        const all = await fleet.deliveries().catch(() => [])
        return all.length > 0 && all.every(({ due_at }) => due_at === null) && all
      },
      TIMEOUT_MS + Fleet.LEASE_SLACK_MS + Fleet.PROMPT_MS,
    )
    const attempts = await fleet.attempts()
    const running = servers.filter((server) => server.isRunning()).length
    const codes = await Promise.all(servers.map(async (server) => (await server.stop()).code))
    return { calls, hooks, deliveries, attempts, running, codes }
  }
  const happened = begin(() =>
    Postgres.using(limits, (postgres) => Fleet.using(settings, postgres.url, (fleet) => run(fleet, postgres))),
  )

  return (): void => {
    it("503: refuses what it cannot do, in time, and fails at nothing", async () => {
      const { calls } = await happened()
      const unexpected = calls.filter(({ status }) => status !== 201 && status !== 503)
      assert.isEmpty(unexpected)
      assert.isBelow(Math.max(...calls.map(({ millis }) => millis)), ANSWER_MS)
    })

    it("keeps what it accepted, and tells of all that it kept", async () => {
      const { calls, deliveries, hooks } = await happened()
      const accepted = calls.filter(({ status }) => status === 201)
      for (const hook of hooks) {
        const told = new Set(hook.seen.map(({ body }) => body.data.id))
        assert.isEmpty(accepted.filter(({ id }) => !told.has(id)))
        assert.strictEqual(deliveries.length, told.size * hooks.length)
      }
      assert.isEmpty(deliveries.filter(({ status }) => status !== "succeeded"))
    })

    it("writes down what it sent, and sends nothing again whose result is not lost", async () => {
      const { attempts, hooks } = await happened()
      const sent = hooks.reduce((sum, { seen }) => sum + seen.length, 0)
      assert.isAtLeast(sent, attempts.length)
      // Results outlive an outage in memory. Only one that outlasts their leases has what was under way sent twice.
      assert.isAtMost(sent - attempts.length, given.includes("freeze") ? UNDER_WAY : 0)
    })

    it("catches up by itself: no process has ended, and each ends well when it is asked to", async () => {
      const { codes, running } = await happened()
      assert.deepStrictEqual([running, codes], [3, [0, 0, 0]])
    })
  }
}
