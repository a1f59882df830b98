/** A process that is asked to end while its database says nothing. */
import { assert, it } from "vitest"
import * as Database from "../blackbox/Database.ts"
import * as Proxy from "../blackbox/Proxy.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { begin, until } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"

const TIMEOUT_MS = 2_000
/** Attempts under way and their results have this long in all; what still waits for the database then is told by its silence. */
const DEADLINE_MS = TIMEOUT_MS + 5_000
const SILENCE_MS = 14_000

/** Begins at once; the tests are the answer. */
export const silencing = (receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet, database: URL) => {
    const proxy = await Proxy.to({ host: database.hostname, port: Number(database.port) })
    const proxied = new URL(database)
    proxied.host = `127.0.0.1:${proxy.port}`
    const leaver = await fleet.start("all", { DATABASE_URL: proxied.href })
    const api = Fleet.apiOf(leaver)
    const { answer, hook } = Receiver.held(receiver)
    await api.create("webhook_endpoints", { url: hook.url, events: ["asset.created"] })
    await Fleet.happen(api)
    await until("an attempt is under way", () => hook.seen[0])
    proxy.hang()
    answer(Receiver.status(204))
    const began = performance.now()
    const { code } = await leaver.stop()
    const millis = performance.now() - began
    proxy.close()
    const left = hook.seen.length
    await fleet.start("worker")
    const limit_ms = TIMEOUT_MS + Fleet.LEASE_SLACK_MS + Fleet.PROMPT_MS
    const ended = async () => (await fleet.deliveries()).every(({ status }) => status === "succeeded")
    await until("another process has made the attempt", ended, limit_ms)
    return { code, millis, left, sends: hook.seen.length, attempts: await fleet.attempts() }
  }
  const happened = begin(async () => {
    const database = await Database.create()
    return Fleet.using({ TC_WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms` }, database, (fleet) => run(fleet, database))
  })

  return () => {
    it("ends with the code 0, and does not wait for an answer for ever", async () => {
      const { code, millis } = await happened()
      assert.strictEqual(code, 0)
      assert.isBelow(millis, DEADLINE_MS + SILENCE_MS + Fleet.EXIT_MS)
    })

    it("leaves what it could not write down to another, once", async () => {
      const { attempts, left, sends } = await happened()
      assert.deepStrictEqual([left, sends, attempts.length], [1, 2, 1])
    })
  }
}
