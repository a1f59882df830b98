/** The database is out of reach or silent for a while, and comes back. */
import { randomBytes } from "node:crypto"
import { assert, it } from "vitest"
import { type Answer, connect, type Method, unique } from "./Api.ts"
import * as Database from "./Database.ts"
import * as Proxy from "./Proxy.ts"
import type { Receiver } from "./Receiver.ts"
import * as Server from "./Server.ts"
import { begin, until } from "./Until.ts"

/** `proxy` is the server's only way to its database. Nothing else can be looked at meanwhile. */
export const outage = (server: Server.Server, proxy: Proxy.Proxy, receiver: Receiver): void => {
  const api = connect(server.url, server.key)
  const run = async () => {
    const replies: Array<() => void> = []
    const hook = receiver.hook((response) => void replies.push(() => response.writeHead(200).end()))
    await api.create("webhook_endpoints", { url: hook.url, events: ["store.deleted"] })
    const store = await api.create("stores", { name: unique(), platform: "swell" })
    await api.delete(`stores/${store.id}`)
    const { body } = await until("an attempt is under way", () => hook.about(store.id)[0])
    proxy.cut()
    const id = crypto.randomUUID()
    const calls = [
      await api.request("GET", "stores"),
      await api.request("POST", "assets", { id, name: unique(), asset_type: "clipart" }),
      await api.request("DELETE", `stores/${store.id}`),
    ]
    const health = [await api.request("GET", "/health/live"), await api.request("GET", "/health/ready")]
    for (const reply of replies) reply()
    proxy.mend()
    await until("the server is ready again", async () => (await api.request("GET", "/health/ready")).status === 200)
    const delivery = await until("the result of the attempt is written", async () => {
      const found = await api.get(`deliveries/${body.id}`)
      return found.status === "succeeded" && found
    })
    const created = await api.request("GET", `assets/${id}`)
    return { calls, health, delivery, created, hook }
  }
  let happened: ReturnType<typeof begin<Awaited<ReturnType<typeof run>>>> | undefined
  const result = () => (happened ??= begin(run))()

  it("503: calls are answered, and told when to come again", async () => {
    const { calls } = await result()
    for (const { body, headers, status } of calls) {
      assert.deepStrictEqual([status, body.code], [503, "service_unavailable"])
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
    }
  })

  it("the server lives, and is not ready", async () => {
    const { health } = await result()
    assert.deepStrictEqual(
      health.map(({ status }) => status),
      [200, 503],
    )
  })

  it("what was refused was not done", async () => {
    const { created } = await result()
    assert.strictEqual(created.status, 404)
  })

  it("the result of an attempt is written later, and the attempt not repeated", async () => {
    const { delivery, hook } = await result()
    assert.deepStrictEqual([delivery.attempt_count, hook.seen.length], [1, 1])
  })
}

/** How long a call may take while nothing comes from the database, and a look at whether the server is ready. */
const CALL_MS = 20_000
const READY_MS = 5_000

/** A server whose database falls silent. Begins at once, for it takes its time; the tests are those of the answer. */
export const silence = (receiver: Receiver): (() => void) => {
  const run = async () => {
    const database = await Database.create()
    const proxy = await Proxy.to({ host: database.hostname, port: Number(database.port) })
    database.host = `127.0.0.1:${proxy.port}`
    const env = { DATABASE_URL: database.href, TC_SECRET_KEY: randomBytes(32).toString("base64") }
    const server = await Server.start(env)
    const api = connect(server.url, server.key)
    const timed = async (method: Method, path: string, body?: object): Promise<readonly [Answer, number]> => {
      const began = performance.now()
      return [await api.request(method, path, body), performance.now() - began]
    }
    const replies: Array<() => void> = []
    const hook = receiver.hook((response) => void replies.push(() => response.writeHead(200).end()))
    await api.create("webhook_endpoints", { url: hook.url, events: ["store.created"] })
    const store = await api.create("stores", { name: unique(), platform: "swell" })
    const { body } = await until("an attempt is under way", () => hook.about(store.id)[0])
    proxy.hang()
    for (const reply of replies.splice(0)) reply()
    const crowd = Array.from({ length: 50 }, () => timed("GET", "stores"))
    const asset = { name: unique(), asset_type: "clipart" }
    const ready = await timed("GET", "/health/ready")
    const calls = await Promise.all([...crowd, timed("POST", "assets", asset), timed("DELETE", `stores/${store.id}`)])
    const later = [await timed("GET", "stores"), await timed("GET", "/health/ready")]
    proxy.mend()
    await until("the server is ready again", async () => (await api.request("GET", "/health/ready")).status === 200)
    const again = await api.create("stores", { name: unique(), platform: "swell" })
    await until("events are delivered again", () => {
      for (const reply of replies.splice(0)) reply()
      return hook.about(again.id)[0]
    })
    const delivery = await until("the result of the attempt is written", async () => {
      const found = await api.get(`deliveries/${body.id}`)
      return found.status === "succeeded" && found
    })
    await server.stop()
    proxy.close()
    return { ready, calls, later, delivery }
  }
  const result = begin(run)

  return () => {
    it("is not ready, and says so within seconds", async () => {
      const [answer, millis] = (await result()).ready
      assert.strictEqual(answer.status, 503)
      assert.isBelow(millis, READY_MS)
    })

    it("503: calls are answered in time, however many wait", async () => {
      const { calls } = await result()
      for (const [{ body, headers, status }, millis] of calls) {
        assert.deepStrictEqual([status, body.code], [503, "service_unavailable"])
        assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        assert.isBelow(millis, CALL_MS)
      }
    })

    it("503: once the silence is known, calls do not wait for it", async () => {
      for (const [{ status }, millis] of (await result()).later) {
        assert.strictEqual(status, 503)
        assert.isBelow(millis, READY_MS)
      }
    })

    it("delivers again when the database answers, and writes down what was sent before", async () => {
      assert.strictEqual((await result()).delivery.attempt_count, 1)
    })
  }
}
