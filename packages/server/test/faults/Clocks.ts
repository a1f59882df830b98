/** Processes whose clocks are wrong by minutes, and are set back and forward while they work. */
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "vitest"
import * as Database from "../blackbox/Database.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import type { Environment, Server } from "../blackbox/Server.ts"
import { begin, until } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"

const MINUTE_MS = 60_000
const EVENTS = 60
/** Longer than the pause between two looks at the queue: what one holds another sees, and takes if its clock says so. */
const SLOW_MS = 1_500

/** A clock of a process, and how to set it. */
const clock = async (error_ms: number) => {
  const file = join(tmpdir(), `tc-clock-${crypto.randomUUID()}`)
  await writeFile(file, String(error_ms))
  const env: Environment = { NODE_OPTIONS: `--import=${new URL("Clock.mjs", import.meta.url).href}`, WRONG_CLOCK: file }
  return {
    env,
    set: async (process: Server, wrong_ms: number) => {
      await writeFile(file, String(wrong_ms))
      process.signal("SIGUSR2")
    },
    remove: () => rm(file, { force: true }),
  }
}

const slowly =
  (code: number): Receiver.Reply =>
  (response) =>
    void setTimeout(() => response.writeHead(code).end(), SLOW_MS)

const settings = {
  TC_WEBHOOK_TIMEOUT: "5s",
  TC_WEBHOOK_SCHEDULE: "0s,300ms,300ms",
  TC_WEBHOOK_DISABLE_AFTER: "1000000",
}

/** One worker alone, whose clock is ten minutes fast and is then set right. Begins at once; the tests are the answer. */
export const corrected = (receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet) => {
    const fast = await clock(10 * MINUTE_MS)
    const [answering, worker] = await Promise.all([fleet.start("api"), fleet.start("worker", fast.env)])
    const api = Fleet.apiOf(answering)
    const hook = receiver.hook(Receiver.inTurn(Receiver.status(503), Receiver.status(204)))
    await api.create("webhook_endpoints", { url: hook.url, events: ["asset.created"] })
    await Fleet.happen(api)
    const { id } = (await until("it is attempted", () => hook.seen[0])).body
    await until("it waits", async () => (await api.get(`deliveries/${id}`)).attempt_count === 1)
    await fast.set(worker, 0)
    // Nobody is told that it is due.
    await fleet.query("UPDATE tc.deliveries SET due_at = now()")
    await until("it is found", () => hook.seen[1])
    await fast.remove()
    return hook.seen.length
  }
  const patient = { ...settings, TC_WEBHOOK_SCHEDULE: "0s,1h" }
  const happened = begin(async () => Fleet.using(patient, await Database.create(), run))
  return () => {
    it("goes on looking for what is due", async () => {
      assert.strictEqual(await happened(), 2)
    })
  }
}

/** Two workers that disagree by ten minutes, and then the other way round. Begins at once; the tests are the answer. */
export const disagreeing = (receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet) => {
    const clocks = await Promise.all([clock(5 * MINUTE_MS), clock(-5 * MINUTE_MS)])
    const start = (nth: 0 | 1) => fleet.start("all", clocks[nth].env)
    const [answering, fast, slow] = await Promise.all([fleet.start("api"), start(0), start(1)])
    const apis = [answering, fast, slow].map(Fleet.apiOf)
    const hooks = {
      well: receiver.hook(slowly(204)),
      again: receiver.hook(Receiver.inTurn(slowly(503), slowly(204))),
      failing: receiver.hook(slowly(500)),
    }
    const [api = Fleet.apiOf(answering)] = apis
    const subscribe = async ({ url }: Receiver.Hook): Promise<string> =>
      (await api.create("webhook_endpoints", { url, events: ["asset.created"] })).id
    await subscribe(hooks.well)
    await subscribe(hooks.again)
    const failing = await subscribe(hooks.failing)
    const happen = async (count: number) => {
      for (let nth = 0; nth < count; nth++) await Fleet.happen(apis[nth % apis.length] ?? api)
    }
    await happen(EVENTS / 2)
    await Promise.all([clocks[0].set(fast, -5 * MINUTE_MS), clocks[1].set(slow, 5 * MINUTE_MS)])
    await happen(EVENTS / 2)
    const deliveries = await until(
      "every delivery has ended",
      async () => {
        const all = await fleet.deliveries()
        return all.every(({ due_at }) => due_at === null) && all
      },
      2 * Fleet.PROMPT_MS,
    )
    const attempts = await fleet.attempts()
    const { consecutive_failures } = await api.get(`webhook_endpoints/${failing}`)
    await Promise.all(clocks.map(({ remove }) => remove()))
    return { hooks, deliveries, attempts, consecutive_failures, failing }
  }
  const happened = begin(async () => Fleet.using(settings, await Database.create(), run))

  return () => {
    it("lose nothing", async () => {
      const { deliveries, failing, hooks } = await happened()
      assert.lengthOf(deliveries, 3 * EVENTS)
      for (const { endpoint_id, status } of deliveries) {
        assert.strictEqual(status, endpoint_id === failing ? "failed" : "succeeded")
      }
      for (const { seen } of Object.values(hooks))
        assert.strictEqual(new Set(seen.map(({ body }) => body.id)).size, EVENTS)
    })

    it("take deliveries from each other that are under way", async () => {
      const { attempts, hooks } = await happened()
      const sent = Object.values(hooks).reduce((sum, { seen }) => sum + seen.length, 0)
      assert.isAbove(sent, attempts.length)
    })

    it("have one result of each attempt taken, whoever sent it as well", async () => {
      const { attempts, deliveries } = await happened()
      const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
      for (const { attempt_count, id } of deliveries) {
        const its = byDelivery.get(id) ?? []
        assert.deepStrictEqual(
          its.map(({ number }) => number),
          Array.from({ length: attempt_count }, (_, nth) => nth + 1),
        )
        assert.isAtMost(its.filter(({ status_code }) => status_code === 204).length, 1)
      }
    })

    it("count every failure once", async () => {
      const { consecutive_failures } = await happened()
      assert.strictEqual(consecutive_failures, EVENTS)
    })
  }
}
