/** A server that is killed under load, started again, asked to end, and started once more, on the same storage. */
import { assert, it } from "vitest"
import { connect, unique } from "./Api.ts"
import type { Receiver } from "./Receiver.ts"
import * as Server from "./Server.ts"
import { begin, pause, until } from "./Until.ts"

/** Records accepted before the crash, at least. */
const LOAD = 200
/** Calls at the same time. */
const CALLERS = 8
/** What was on its way is another process's until its lease runs out, half a minute later. */
const LEASE_MS = 60_000

const marked = { name: "accepted", asset_type: "clipart" }

/** Creates records until the server is gone; answers with the ids of those that it accepted. */
const load = async (server: Server.Server, isEnough: (accepted: ReadonlyArray<string>) => boolean) => {
  const api = connect(server.url, server.key)
  const accepted: Array<string> = []
  let dead: Promise<Server.Ended> | undefined
  const call = async (): Promise<void> => {
    const answer = await api.request("POST", "assets", marked).catch(() => undefined)
    if (answer === undefined) return
    assert.strictEqual(answer.status, 201)
    accepted.push(answer.body.id)
    if (isEnough(accepted)) dead ??= server.kill()
    return call()
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  await dead
  return accepted
}

export const recovery = (dir: string, receiver: Receiver): void => {
  const happened = begin(async () => {
    // Without a key of the operator's, the first start makes one.
    const env = { TC_STORE: "embedded", TC_DATA_DIR: dir, TC_BOOTSTRAP_API_KEY: "", TC_WEBHOOK_TIMEOUT: "5s" }
    const first = await Server.start(env)
    const hook = receiver.hook(
      (response, nth) => void setTimeout(() => response.writeHead(204).end(), nth === 1 ? 50 : 0),
    )
    const endpoint = await connect(first.url, first.key).create("webhook_endpoints", {
      url: hook.url,
      events: ["asset.created"],
    })
    const accepted = await load(first, ({ length }) => length >= LOAD && hook.seen.length > 20)
    const arrivedBefore = hook.seen.length

    const second = await Server.start(env)
    const api = connect(second.url, first.key)
    const kept = await api.get(`webhook_endpoints/${endpoint.id}`)
    let answer = () => {}
    const held = receiver.hook((response) => void (answer = () => response.writeHead(200).end("late")))
    const waiting = receiver.hook((response, nth) =>
      response.writeHead(nth === 1 ? 503 : 200, { "retry-after": "2" }).end(),
    )
    for (const { url } of [held, waiting]) await api.create("webhook_endpoints", { url, events: ["font.created"] })
    const font = await api.create("assets", { name: unique(), asset_type: "font" })
    const deliveryOf = async (at: typeof held) => `deliveries/${(await until("the attempt", () => at.seen[0])).body.id}`
    const deliveries = [await deliveryOf(held), await deliveryOf(waiting)] as const
    let isOver = false
    const stopped = second.stop().finally(() => (isOver = true))
    // Long enough for a server that does not wait to be gone.
    await pause(1_000)
    const endedEarly = isOver
    answer()
    const ended = await stopped

    const third = await Server.start(env)
    const last = connect(third.url, first.key)
    const delivered = await last.get(deliveries[0])
    const resumed = await until("the other one is retried", async () => {
      const delivery = await last.get(deliveries[1])
      return delivery.status === "succeeded" && delivery
    })
    const arrived = () => new Set(hook.seen.map(({ body }) => body.data.id))
    await until("all that was accepted has arrived", () => accepted.every((id) => arrived().has(id)), LEASE_MS)
    const { total } = (await last.list("assets", { q: marked.name })).meta
    await until("all that was kept has arrived", () => arrived().size === total, LEASE_MS)
    const { code } = await third.stop()
    return {
      ...{
        first,
        second,
        third,
        accepted,
        arrivedBefore,
        arrived: arrived(),
        total,
        endpoint,
        kept,
        font,
        held,
        deliveries,
      },
      ...{ endedEarly, ended, delivered, resumed, code, hook },
    }
  })

  it("is started with a key that it makes and shows once", async () => {
    const { first, second, third } = await happened()
    assert.match(first.log(), /^API key for the account "default", shown only now: tc_[0-9a-f]{64}$/m)
    for (const { log } of [second, third]) assert.notMatch(log(), /tc_[0-9a-f]{64}/)
  })

  it("loses nothing that it accepted when it is killed under load", async () => {
    const { accepted, arrived, arrivedBefore } = await happened()
    assert.isAtLeast(accepted.length, LOAD)
    assert.isBelow(arrivedBefore, accepted.length)
    assert.isTrue(accepted.every((id) => arrived.has(id)))
  })

  it("tells of what it kept, and of nothing else, the same bytes each time", async () => {
    const { arrived, hook, total } = await happened()
    assert.strictEqual(arrived.size, total)
    const byDelivery = Map.groupBy(hook.seen, ({ body }) => body.id)
    assert.strictEqual(byDelivery.size, total)
    for (const seen of byDelivery.values()) assert.strictEqual(new Set(seen.map(({ text }) => text)).size, 1)
  })

  it("keeps its records, secrets and keys", async () => {
    const { endpoint, kept } = await happened()
    assert.deepStrictEqual(kept, endpoint)
  })

  it("waits for an attempt under way when it is asked to end, and writes its result down", async () => {
    const { delivered, endedEarly, held } = await happened()
    assert.isFalse(endedEarly)
    assert.deepStrictEqual([delivered.status, delivered.attempt_count], ["succeeded", 1])
    assert.deepInclude(delivered.attempts[0], { status_code: 200, response_excerpt: "late" })
    assert.strictEqual(held.seen.length, 1)
  })

  it("ends with the code 0", async () => {
    const { code, ended } = await happened()
    assert.deepStrictEqual([ended.code, code], [0, 0])
  })

  it("goes on with what was to be retried", async () => {
    const { resumed } = await happened()
    assert.deepStrictEqual(
      resumed.attempts.map(({ status_code }: any) => status_code),
      [503, 200],
    )
  })
}
