/** A process that is halted for longer than its leases last, as by a paused machine, and then goes on where it stood. */
import { assert, it } from "vitest"
import * as Database from "../blackbox/Database.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { begin, until } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"

const TIMEOUT_MS = 10_000

/** One attempt and no more: a failure that is counted would count against the endpoint at once. */
const settings = { TC_WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms`, TC_WEBHOOK_SCHEDULE: "0s" }

/** Begins at once; the tests are the answer. */
export const freezing = (receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet) => {
    const frozen = await fleet.start("all")
    const api = Fleet.apiOf(frozen)
    const { answer, hook } = Receiver.held(receiver)
    const { id: endpoint } = await api.create("webhook_endpoints", { url: hook.url, events: ["asset.created"] })
    await Fleet.happen(api)
    const { body } = await until("an attempt is under way", () => hook.seen[0])
    frozen.signal("SIGSTOP")
    answer(Receiver.status(500))
    const second = Receiver.held(receiver)
    hook.reply = (...arrived) => second.hook.reply(...arrived)
    const survivor = await fleet.start("all")
    const beside = Fleet.apiOf(survivor)
    const get = () => beside.get(`deliveries/${body.id}`)
    await until(
      "another process makes the attempt",
      () => hook.seen[1],
      TIMEOUT_MS + Fleet.LEASE_SLACK_MS + Fleet.PROMPT_MS,
    )
    // Its result comes while the other attempt is under way: only the lease tells the two apart.
    frozen.signal("SIGCONT")
    await until(
      "the late result is refused",
      async () => (await Fleet.metric(frozen, "webhook_deliveries_total", '"lost"')) === 1,
    )
    const during = await get()
    second.answer(Receiver.status(204))
    const after = await until("it has ended", async () => {
      const delivery = await get()
      return delivery.status !== "delivering" && delivery
    })
    const { consecutive_failures } = await beside.get(`webhook_endpoints/${endpoint}`)
    const codes = [(await frozen.stop()).code, (await survivor.stop()).code]
    return { during, after, consecutive_failures, codes, sends: hook.seen.length }
  }
  const happened = begin(async () => Fleet.using(settings, await Database.create(), run))

  return () => {
    it("has its late result refused, also while another makes the same attempt", async () => {
      const { during } = await happened()
      assert.deepStrictEqual([during.status, during.attempt_count], ["delivering", 0])
    })

    it("neither counts against the endpoint nor stands among the attempts", async () => {
      const { after, consecutive_failures, sends } = await happened()
      assert.deepStrictEqual([after.status, after.attempt_count, consecutive_failures], ["succeeded", 1, 0])
      assert.strictEqual(after.attempts[0].status_code, 204)
      assert.strictEqual(sends, 2)
    })

    it("goes on, and ends well when it is asked to", async () => {
      assert.deepStrictEqual((await happened()).codes, [0, 0])
    })
  }
}
