/** A process that is killed while it holds deliveries in every state that there is, each to an endpoint of its own. */
import { assert, it } from "vitest"
import type { Api } from "../blackbox/Api.ts"
import * as Database from "../blackbox/Database.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import { begin, until } from "../blackbox/Until.ts"
import * as Fleet from "./Fleet.ts"

/** Long enough for all states to be reached within one attempt. */
const TIMEOUT_MS = 10_000
const LEASE_MS = TIMEOUT_MS + Fleet.LEASE_SLACK_MS

const settings = {
  TC_WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms`,
  // The second attempt is another process's.
  TC_WEBHOOK_SCHEDULE: "0s,30s,1s",
  // The second delivery to an endpoint waits for the end of the first.
  TC_WEBHOOK_PER_ENDPOINT: "1",
}

const ok = Receiver.status(204)

/** The id of the first delivery that comes. */
const first = async (hook: Receiver.Hook): Promise<string> => (await until("an attempt", () => hook.seen[0])).body.id

/** Endpoints and what their receivers do: until it is told otherwise, one that is `held` says nothing. */
const prepare = async (api: Api, receiver: Receiver.Receiver) => {
  const subscribe = ({ url }: Receiver.Hook, event: string) => api.create("webhook_endpoints", { url, events: [event] })
  const [sent, settling, answered] = [Receiver.held(receiver), Receiver.held(receiver), Receiver.held(receiver)]
  const hooks = {
    sent: sent.hook,
    settling: settling.hook,
    answered: answered.hook,
    retried: receiver.hook(Receiver.inTurn(Receiver.status(500), ok)),
    done: receiver.hook(ok),
  }
  const { sent: several, ...each } = hooks
  for (const hook of Object.values(each)) await subscribe(hook, "asset.created")
  const { id } = await subscribe(several, "font.created")
  return { sent, settling, answered, hooks, several: id as string }
}

/** Brings the victim into all states at once and kills it. Answers the deliveries by their states, as they were left. */
const kill = async (doomed: "worker" | "all", fleet: Fleet.Fleet, receiver: Receiver.Receiver) => {
  const victim = await fleet.start(doomed)
  const api = Fleet.apiOf(doomed === "all" ? victim : await fleet.start("api"))
  const { answered, hooks, sent, settling, several } = await prepare(api, receiver)
  await Fleet.happen(api)
  const [settlingId, answeredId, retriedId, doneId] = await Promise.all(
    [settling.hook, answered.hook, hooks.retried, hooks.done].map(first),
  )
  await until("one is to be repeated", async () => (await api.get(`deliveries/${retriedId}`)).attempt_count === 1)
  await until("one has succeeded", async () => (await api.get(`deliveries/${doneId}`)).status === "succeeded")
  // Of three to one endpoint one is under way, one waits in the process, and the last there or in the table.
  for (const _ of [1, 2, 3]) await Fleet.happen(api, "font")
  const sentId = await first(sent.hook)
  const mine = () => api.list(`webhook_endpoints/${several}/deliveries`)
  const [, claimed, accepted] = await until("they are leased", async () => {
    const { data } = await mine()
    const waiting = data.filter(({ id }) => id !== sentId)
    const leased = waiting.filter(({ status }) => status === "delivering")
    const pending = waiting.filter(({ status }) => status === "pending")
    return leased.length === (doomed === "all" ? 2 : 1) && [sentId, ...leased, ...pending].map(({ id }) => id)
  })
  // A result that waits for a lock is in the midst of being written, and another one waits behind it or beside it.
  const locker = await fleet.connect()
  await locker.query("BEGIN")
  await locker.query("SELECT id FROM tc.deliveries WHERE id = ANY ($1::uuid[]) FOR UPDATE", [[settlingId, answeredId]])
  const succeeded = () => Fleet.metric(victim, "webhook_attempts_total", '"succeeded"')
  const before = await succeeded()
  settling.answer(ok)
  await until("a result is being written", async () => {
    const waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    return (await fleet.query(waiting)).length > 0
  })
  answered.answer(ok)
  await until("both answers have come", async () => (await succeeded()) === before + 2)
  await victim.kill()
  await locker.query("ROLLBACK")
  const left = await fleet.deliveries()
  sent.answer(ok)
  const ids = {
    sent: sentId,
    claimed,
    accepted,
    settling: settlingId,
    answered: answeredId,
    retried: retriedId,
    done: doneId,
  }
  return { hooks, ids, left: new Map(left.map((delivery) => [delivery.id, delivery])) }
}

/** A process that is no mere worker holds its deliveries from their birth. Begins at once; the tests are the answer. */
export const killing = (doomed: "worker" | "all", receiver: Receiver.Receiver): (() => void) => {
  const run = async (fleet: Fleet.Fleet) => {
    const killed = await kill(doomed, fleet, receiver)
    const survivor = await fleet.start("all")
    const ended = await until(
      "every delivery has succeeded",
      async () => {
        const deliveries = await fleet.deliveries()
        return deliveries.every(({ status }) => status === "succeeded") && deliveries
      },
      LEASE_MS + Fleet.PROMPT_MS,
    )
    const attempts = await fleet.attempts()
    const { code } = await survivor.stop()
    const { hooks, ids, left } = killed
    const sends = (id: string | undefined) =>
      Object.values(hooks)
        .flatMap(({ seen }) => seen)
        .filter(({ body }) => body.id === id)
    return { ids, left, ended, attempts, sends, code }
  }
  const happened = begin(async () => Fleet.using(settings, await Database.create(), run))

  return () => {
    it("loses nothing, whatever it was about to do", async () => {
      const { ended } = await happened()
      assert.lengthOf(ended, 7)
    })

    it("has sent again only what it had sent without writing it down", async () => {
      const { ids, sends } = await happened()
      const counts = Object.entries(ids).map(([name, id]) => [name, sends(id).length])
      assert.deepStrictEqual(Object.fromEntries(counts), {
        sent: 2,
        claimed: 1,
        accepted: 1,
        settling: 2,
        answered: 2,
        retried: 2,
        done: 1,
      })
    })

    it("leaves no attempt that is not written down, but those under way", async () => {
      const { attempts, ids } = await happened()
      const numbers = (id: string | undefined) =>
        attempts.filter(({ delivery_id }) => delivery_id === id).map(({ number }) => number)
      for (const [name, id] of Object.entries(ids))
        assert.deepStrictEqual(numbers(id), name === "retried" ? [1, 2] : [1], name)
    })

    it("is followed by another once its leases have run out, and not before", async () => {
      const { ids, left, sends } = await happened()
      for (const id of [ids.sent, ids.claimed, ids.settling, ids.answered]) {
        const { due_at, status } = left.get(id)!
        assert.strictEqual(status, "delivering")
        assert.isAtLeast(sends(id).at(-1)!.at, due_at!.getTime())
      }
    })
  }
}
