/** A server that is killed under load, started again, asked to end, and started once more, on the same storage. */
import { assert, it } from "vitest"
import { type Api, connect, type Json, unique } from "./Api.ts"
import type { Hook, Receiver } from "./Receiver.ts"
import * as Server from "./Server.ts"
import { begin, pause, until } from "./Until.ts"

/** Records accepted before the crash, at least. */
const LOAD = 200
/** Calls at the same time. */
const CALLERS = 8
/** What was on its way is another process's until its lease runs out, half a minute later than its attempt. */
const LEASE_MS = 120_000

/** How long requests under way are waited for. */
const DRAIN_MS = 10_000

const marked = { name: "accepted", asset_type: "clipart" }

/** Creates records, kills the server when there are enough, and answers with the ids of those that it accepted. */
const crash = async (server: Server.Server, hook: Hook) => {
  const api = connect(server.url, server.key)
  const accepted: Array<string> = []
  let dead: Promise<Server.Ended> | undefined
  const call = async (): Promise<void> => {
    const answer = await api.request("POST", "assets", marked).catch(() => undefined)
    if (answer === undefined) return
    assert.strictEqual(answer.status, 201)
    accepted.push(answer.body.id)
    if (accepted.length >= LOAD && hook.seen.length >= LOAD / 10) dead ??= server.kill()
    return call()
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  await dead
  return { accepted, before: hook.seen.length }
}

const idAt = async (hook: Hook): Promise<string> => (await until("the attempt", () => hook.seen[0])).body.id

/** Asks the server to end while an attempt is under way, and another waits to be repeated. */
const end = async (server: Server.Server, key: string, receiver: Receiver) => {
  const api = connect(server.url, key)
  const replies: Array<() => void> = []
  const held = receiver.hook((response) => void replies.push(() => response.writeHead(200).end("late")))
  const waiting = receiver.hook((response, nth) =>
    response.writeHead(nth === 1 ? 503 : 200, { "retry-after": "2" }).end(),
  )
  for (const { url } of [held, waiting]) await api.create("webhook_endpoints", { url, events: ["font.created"] })
  await api.create("assets", { name: unique(), asset_type: "font" })
  const ids = { held: await idAt(held), waiting: await idAt(waiting) }
  let isOver = false
  const stopped = server.stop().finally(() => (isOver = true))
  // Long enough for a server that does not wait to be gone.
  await pause(1_000)
  const endedEarly = isOver
  for (const reply of replies) reply()
  return { ids, held, endedEarly, ended: await stopped }
}

/** Asks the server to end while callers keep it busy on connections that they keep. */
const endBusy = async (server: Server.Server, api: Api) => {
  let isOver = false
  const call = async (): Promise<void> => {
    await api.request("GET", "stores").catch(() => pause(10))
    return isOver ? undefined : call()
  }
  const calls = Array.from({ length: CALLERS }, call)
  await until("they call", async () => (await api.request("GET", "stores")).status === 200)
  const began = Date.now()
  const { code } = await server.stop()
  isOver = true
  await Promise.all(calls)
  return { code, millis: Date.now() - began }
}

/** Begins at once, for it takes its time; the tests are those of the function that it answers with. */
export const recovery = (dir: string, receiver: Receiver): (() => void) => {
  // Without a key of the operator's, the first start makes one.
  const env = { TC_STORE: "embedded", TC_DATA_DIR: dir, TC_BOOTSTRAP_API_KEY: "", TC_WEBHOOK_TIMEOUT: "10s" }
  // Before the crash it is so slow that records are accepted faster than they are delivered.
  let slow_ms = 500
  const hook = receiver.hook((response) => void setTimeout(() => response.writeHead(204).end(), slow_ms))

  const happened = begin(async () => {
    const first = await Server.start(env)
    const { key } = first
    const endpoint = await connect(first.url, key).create("webhook_endpoints", {
      url: hook.url,
      events: ["asset.created"],
    })
    const crashed = await crash(first, hook)
    slow_ms = 0
    const second = await Server.start(env)
    const kept = await connect(second.url, key).get(`webhook_endpoints/${endpoint.id}`)
    const stopped = await end(second, key, receiver)
    const third = await Server.start(env)
    return { first, crashed, second, endpoint, kept, stopped, third, api: connect(third.url, key) }
  })
  const arrived = () => new Set(hook.seen.map(({ body }) => body.data.id))
  const settled = begin(async () => {
    const { api, crashed, stopped, third } = await happened()
    const delivered = await api.get(`deliveries/${stopped.ids.held}`)
    const repeated = await until("the other is repeated", async () => {
      const delivery = await api.get(`deliveries/${stopped.ids.waiting}`)
      return delivery.status === "succeeded" && delivery
    })
    await until("all that was accepted has arrived", () => crashed.accepted.every((id) => arrived().has(id)), LEASE_MS)
    const { total } = (await api.list("assets", { q: marked.name })).meta
    await until("all that was kept has arrived", () => arrived().size === total, LEASE_MS)
    return { delivered, repeated, total, arrived: arrived(), ended: await endBusy(third, api) }
  })

  return () => {
    it("is started with a key that it makes and shows once", async () => {
      const { first, second, third } = await happened()
      assert.match(first.log(), /^API key for the account "default", shown only now: tc_[0-9a-f]{64}$/m)
      for (const { log } of [second, third]) assert.notMatch(log(), /tc_[0-9a-f]{64}/)
    })

    it("keeps its records, secrets and keys", async () => {
      const { endpoint, kept } = await happened()
      assert.deepStrictEqual(kept, endpoint)
    })

    it("waits for an attempt under way when it is asked to end, and writes its result down", async () => {
      const { stopped } = await happened()
      const { attempt_count, attempts, status } = (await settled()).delivered
      assert.isFalse(stopped.endedEarly)
      assert.deepStrictEqual([status, attempt_count], ["succeeded", 1])
      assert.deepInclude(attempts[0], { status_code: 200, response_excerpt: "late" })
      assert.strictEqual(stopped.held.seen.length, 1)
    })

    it("goes on with what was to be repeated", async () => {
      const { attempts } = (await settled()).repeated
      assert.deepStrictEqual(
        attempts.map(({ status_code }: Json) => status_code),
        [503, 200],
      )
    })

    it("loses nothing that it accepted when it is killed under load", async () => {
      const { accepted, before } = (await happened()).crashed
      const { arrived } = await settled()
      assert.isBelow(before, accepted.length)
      assert.isTrue(accepted.every((id) => arrived.has(id)))
    })

    it("tells of all that it kept, and of nothing else, in the same bytes each time", async () => {
      const { total } = await settled()
      const deliveries = Map.groupBy(hook.seen, ({ body }) => body.id)
      assert.strictEqual(deliveries.size, total)
      for (const seen of deliveries.values()) assert.strictEqual(new Set(seen.map(({ text }) => text)).size, 1)
    })

    it("ends soon, however busy its callers keep it", async () => {
      assert.isBelow((await settled()).ended.millis, DRAIN_MS)
    })

    it("ends with the code 0 when it is asked to end", async () => {
      const { stopped } = await happened()
      assert.deepStrictEqual([stopped.ended.code, (await settled()).ended.code], [0, 0])
    })
  }
}
