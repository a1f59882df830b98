/** Workers that join, leave and die at random under load, and the ledger that has to balance in the end. */
import { assert, it } from "vitest"
import { type Api, unique } from "../blackbox/Api.ts"
import * as Database from "../blackbox/Database.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { begin, pause, until } from "../blackbox/Until.ts"
import * as Churn from "./Churn.ts"
import * as Fleet from "./Fleet.ts"
import * as Ledger from "./Ledger.ts"
import * as Random from "./Random.ts"

/** `TC_TEST_SEED` has the same members come and go again. */
const LOAD_MS = Fleet.isLong ? 60_000 : 15_000
const SEED = Number(process.env["TC_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 32))
/** Long enough for nothing to take it but what is not answered, also on a machine that is busy. */
const TIMEOUT_MS = 5_000
const LEASE_MS = TIMEOUT_MS + Fleet.LEASE_SLACK_MS
/** Attempts under way in one process at most; as many results for each may wait to be written. */
const SLOTS = 16
const UNWRITTEN_PER_SLOT = 4
const LATE_MS = 10_000
const CALLERS = 3
const ATTEMPTS = 3

const settings = {
  TC_WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms`,
  TC_WEBHOOK_SCHEDULE: "0s,200ms,400ms",
  TC_WEBHOOK_CONCURRENCY: String(SLOTS),
  TC_WEBHOOK_DISABLE_AFTER: "1000000",
}

/** Fails up to so many attempts of a delivery that one is left. What it does depends on the seed alone. */
const flaky: Receiver.Reply = (response, nth, seen) => {
  const chance = Random.make(SEED ^ Number.parseInt(String(seen.body.id).slice(-8), 16))
  const failures = chance(ATTEMPTS)
  if (nth > failures) return response.writeHead(204).end()
  // No reset: what had the request on a connection that was used before is sent it once more, in the same attempt.
  return chance(16) > 0 ? response.writeHead(503).end() : Receiver.never(response, nth, seen)
}

/** Receivers that go well, badly, and both. */
const prepare = async (api: Api, receiver: Receiver.Receiver) => {
  const hooks = {
    well: receiver.hook((response) => void setTimeout(() => response.writeHead(204).end(), 20)),
    flaky: receiver.hook(flaky),
    failing: receiver.hook(Receiver.status(500)),
    toggled: receiver.hook(Receiver.inTurn(Receiver.status(500), Receiver.status(204))),
    counted: receiver.hook(Receiver.status(500)),
  }
  const ids: Record<string, string> = {}
  for (const [name, { url }] of Object.entries(hooks)) {
    const events = [name === "counted" ? "store.created" : "asset.created"]
    ids[name] = (await api.create("webhook_endpoints", { url, events })).id
  }
  return { hooks, ids: ids as Record<keyof typeof hooks, string> }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Fails an endpoint's deliveries and lets some succeed, by turns. Answers its streak after each turn, and what it should be. */
const count = async (
  fleet: Fleet.Fleet,
  api: Api,
  { hooks, ids }: Prepared,
  random: Random.Random,
  isOver: () => boolean,
) => {
  const streaks: Array<readonly [actual: number, expected: number]> = []
  let expected = 0
  const turn = async (): Promise<void> => {
    const succeeds = random(3) === 0
    const size = 1 + random(5)
    hooks.counted.reply = Receiver.status(succeeds ? 204 : 500)
    await Promise.all(Array.from({ length: size }, () => api.create("stores", { name: unique(), platform: "swell" })))
    expected = succeeds ? 0 : expected + size
    await until("all have ended", async () => (await Ledger.open(fleet, ids.counted)) === 0, LEASE_MS + Fleet.PROMPT_MS)
    streaks.push([(await api.get(`webhook_endpoints/${ids.counted}`)).consecutive_failures, expected])
    return isOver() ? undefined : turn()
  }
  await turn()
  return streaks
}

/** Begins at once; the tests are the answer. */
export const crowd = (receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet) => {
    const random = Random.make(SEED)
    const answering = await fleet.start("api")
    const api = Fleet.apiOf(answering)
    const prepared = await prepare(api, receiver)
    const members = await Churn.begin(fleet, random)
    let over = false
    const isOver = () => over
    const accepted: Array<string> = []
    const call = async (): Promise<void> => {
      accepted.push((await Fleet.happen(api)).id)
      await pause(20)
      return isOver() ? undefined : call()
    }
    const toggle = async (): Promise<void> => {
      for (const status of ["disabled", "active"]) {
        await pause(500 + random(1_000))
        await api.modify(`webhook_endpoints/${prepared.ids.toggled}`, { status })
      }
      return isOver() ? undefined : toggle()
    }
    const calls = Promise.all([toggle(), ...Array.from({ length: CALLERS }, call)])
    const counting = count(fleet, api, prepared, Random.make(SEED + 1), isOver)
    const churned = Churn.churn(fleet, members, random, { millis: LOAD_MS, lease_ms: LEASE_MS })
    const { codes, log, lost_at } = await churned.finally(() => (over = true))
    await calls
    const streaks = await counting
    await until("every delivery has ended", async () => (await Ledger.open(fleet)) === 0, LEASE_MS + Fleet.PROMPT_MS)
    const ledger = await Ledger.read(fleet)
    const { consecutive_failures } = await api.get(`webhook_endpoints/${prepared.ids.failing}`)
    const story = `seed ${SEED}: ${log.join(", ")}`
    return { ...prepared, accepted, codes, lost_at, streaks, ledger, consecutive_failures, story }
  }
  const happened = begin(async () => Fleet.using(settings, await Database.create(), run))

  return () => {
    it(`make nothing of what was accepted disappear, and nothing appear (seed ${SEED})`, async () => {
      const { accepted, hooks, ids, ledger, story } = await happened()
      assert.strictEqual(ledger.events.get("asset.created"), accepted.length, story)
      for (const name of ["well", "flaky", "failing"] as const) {
        const { canceled, failed, pending, succeeded } = ledger.of(ids[name])
        assert.strictEqual(accepted.length, succeeded + pending + failed + canceled, story)
        const wrong = name === "failing" ? "succeeded" : "failed"
        const odd = ledger.deliveries.filter(
          ({ delivery: one }) => one.endpoint_id === ids[name] && one.status === wrong,
        )
        const why = Fleet.told(
          odd.map(({ delivery }) => delivery),
          odd.flatMap(({ attempts }) => attempts),
        )
        assert.deepStrictEqual([pending, canceled, odd.length], [0, 0, 0], `${story}; ${name}: ${why}`)
        const told = new Set(hooks[name].seen.map(({ body }) => body.data.id))
        assert.isEmpty(
          accepted.filter((id) => !told.has(id)),
          story,
        )
      }
    })

    it("leave an endpoint that is disabled at times what was sent, and cancel the rest", async () => {
      const { hooks, ids, ledger, story } = await happened()
      const { canceled, failed, pending, succeeded } = ledger.of(ids.toggled)
      assert.deepStrictEqual([pending, failed], [0, 0], story)
      assert.isAbove(canceled, 0, story)
      assert.isAtLeast(new Set(hooks.toggled.seen.map(({ body }) => body.id)).size, succeeded, story)
    })

    it("have one success at most of each delivery taken, and its attempts in their order", async () => {
      const { ledger, story } = await happened()
      for (const { attempts, delivery } of ledger.deliveries) {
        const numbers = attempts.map(({ number }) => number)
        assert.deepStrictEqual(
          numbers,
          Array.from({ length: delivery.attempt_count }, (_, nth) => nth + 1),
          story,
        )
        const successes = attempts.filter(({ status_code }) => status_code === 204).map(({ number }) => number)
        assert.deepStrictEqual(successes, delivery.status === "succeeded" ? [delivery.attempt_count] : [], story)
      }
    })

    it("send again only what one that was lost had sent, no more than it can have had in its hands", async () => {
      const { hooks, lost_at, ledger, story } = await happened()
      const sends = Map.groupBy(
        Object.values(hooks).flatMap(({ seen }) => seen),
        ({ body }): string => body.id,
      )
      const repeated = ledger.deliveries.filter(({ attempts, delivery }) => {
        return (sends.get(delivery.id)?.length ?? 0) > attempts.length
      })
      for (const { delivery } of repeated) {
        // What it had sent may be read here a little later.
        const isOfLost = ({ at }: Receiver.Seen) =>
          lost_at.some((death) => at - LATE_MS < death && death < at + LEASE_MS)
        assert.isTrue(sends.get(delivery.id)?.some(isOfLost), story)
      }
      assert.isAtMost(repeated.length, lost_at.length * SLOTS * (1 + UNWRITTEN_PER_SLOT), story)
    })

    it("count every failure once, whoever made the attempts and whoever died of them", async () => {
      const { consecutive_failures, ids, ledger, story, streaks } = await happened()
      assert.strictEqual(consecutive_failures, ledger.of(ids.failing).failed, story)
      for (const [actual, expected] of streaks) assert.strictEqual(actual, expected, story)
    })

    it("end with the code 0 when they are asked to", async () => {
      const { codes, story } = await happened()
      assert.isEmpty(
        codes.filter((code) => code !== 0),
        story,
      )
    })
  }
}
