/** Processes that are asked to end while they are busy. */
import { assert, it } from "vitest"
import * as Database from "../blackbox/Database.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { begin, pause, until } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"

const TIMEOUT_MS = 2_000
/** Attempts under way, results to be written, and deliveries given back have this long in all. */
const DEADLINE_MS = TIMEOUT_MS + 5_000
const CALLERS = 4
const EVENTS = 200

const settings = {
  TC_WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms`,
  TC_WEBHOOK_SCHEDULE: "0s,500ms,500ms,500ms,1s,1s,1s",
  TC_WEBHOOK_PER_ENDPOINT: "4",
}

/** Whoever is asked to end while it says nothing to a first attempt waits for the timeout. */
const seldom: Receiver.Reply = (response, nth, seen) =>
  nth === 1 && String(seen.body.id).endsWith("0")
    ? Receiver.never(response, nth, seen)
    : Receiver.status(204)(response, nth, seen)

/** Begins at once; the tests are the answer. */
export const leaving = (receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet) => {
    const staying = await fleet.start("api")
    const leavers = await Promise.all([fleet.start("worker"), fleet.start("all")])
    const api = Fleet.apiOf(staying)
    // So slow at first that deliveries wait in the processes, which have to be given back.
    let slow_ms = TIMEOUT_MS / 2
    const hooks = [
      receiver.hook((response) => void setTimeout(() => response.writeHead(204).end(), slow_ms)),
      receiver.hook(Receiver.inTurn(Receiver.status(503), Receiver.status(204))),
      receiver.hook(seldom),
    ]
    for (const { url } of hooks) await api.create("webhook_endpoints", { url, events: ["asset.created"] })
    const apis = [api, Fleet.apiOf(leavers[1])]
    let made = 0
    let isLeaving = false
    const call = async (nth: number): Promise<void> => {
      // Between two answers it may have gone: then nobody knows whether it did what it was asked to do.
      const created = await Fleet.happen(apis[isLeaving ? 0 : nth % 2] ?? api).catch(() => undefined)
      made += created === undefined ? 0 : 1
      await pause(5)
      return made < EVENTS ? call(nth + 1) : undefined
    }
    const calls = Promise.all(Array.from({ length: CALLERS }, (_, nth) => call(nth)))
    await until("all are busy", () => made > EVENTS / 2 && hooks.every(({ seen }) => seen.length > 0))
    isLeaving = true
    const stop = async (member: (typeof leavers)[number]) => {
      const began = performance.now()
      const { code } = await member.stop()
      return { code, millis: performance.now() - began }
    }
    const stops = await Promise.all(leavers.map(stop))
    slow_ms = 0
    const left = await fleet.deliveries()
    const successor = await fleet.start("worker")
    await calls
    const settled = await until("every delivery has ended", async () => {
      const deliveries = await fleet.deliveries()
      return deliveries.length >= 3 * EVENTS && deliveries.every(({ due_at }) => due_at === null) && deliveries
    })
    const attempts = await fleet.attempts()
    await successor.stop()
    return { hooks, stops, left, settled, attempts }
  }
  const happened = begin(async () => Fleet.using(settings, await Database.create(), run))

  return () => {
    it("end with the code 0, within the timeout of an attempt and 5 s", async () => {
      for (const { code, millis } of (await happened()).stops) {
        assert.strictEqual(code, 0)
        assert.isBelow(millis, DEADLINE_MS + Fleet.EXIT_MS)
      }
    })

    it("leave no delivery in their hands, so that nobody waits for a lease", async () => {
      const { left } = await happened()
      assert.isEmpty(left.filter(({ status }) => status === "delivering"))
    })

    it("write down every attempt they make: nothing is sent twice", async () => {
      const { attempts, hooks, settled } = await happened()
      assert.strictEqual(
        attempts.length,
        hooks.reduce((sum, { seen }) => sum + seen.length, 0),
      )
      for (const { attempt_count, id } of settled) {
        assert.strictEqual(
          hooks.reduce((sum, hook) => sum + hook.seen.filter(({ body }) => body.id === id).length, 0),
          attempt_count,
        )
      }
    })

    it("lose nothing", async () => {
      const { attempts, settled } = await happened()
      const lost = settled.filter(({ status }) => status !== "succeeded")
      assert.isEmpty(lost, Fleet.told(lost, attempts))
    })
  }
}
