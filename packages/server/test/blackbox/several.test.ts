/** Several processes on one database: one that only answers, one that only delivers, and two that do both. */
import { randomBytes } from "node:crypto"
import { afterAll, assert, describe, it } from "vitest"
import { type Api, connect, type Json, unique } from "./Api.ts"
import { json } from "./Commands.ts"
import * as Database from "./Database.ts"
import * as Receiver from "./Receiver.ts"
import * as Server from "./Server.ts"
import { begin, until } from "./Until.ts"

/** Records accepted before one process is killed, and after. */
const LOAD = 300
const CALLERS = 8
/** Deliveries a second of an endpoint that wants no more, and seconds for which there are enough of them. */
const RATE = 3
const RATE_SECONDS = 20
/** What the dead process had on its way is another's once its lease runs out. */
const LEASE_MS = 120_000

const env = {
  DATABASE_URL: (await Database.create()).href,
  TC_SECRET_KEY: randomBytes(32).toString("base64"),
  TC_BOOTSTRAP_API_KEY: Server.newKey(),
  TC_WEBHOOK_TIMEOUT: "10s",
}
// All at once, on a database that is empty as yet.
const [answering, delivering, doomed, survivor, receiver] = await Promise.all([
  Server.start({ ...env, TC_ROLE: "api" }),
  Server.start({ ...env, TC_ROLE: "worker" }),
  Server.start(env),
  Server.start(env),
  Receiver.listen(),
])
afterAll(async () => {
  await Promise.all([answering, delivering, survivor].map((server) => server.stop()))
  receiver.close()
})
const api = connect(answering.url, answering.key)
const living = [answering, survivor]
const left = living.map(({ key, url }) => connect(url, key))
const all = [...left, connect(doomed.url, doomed.key)]
/** One process after the other, as behind a load balancer. */
const turn = (apis: ReadonlyArray<Api>, nth: number): Api => apis[nth % apis.length] ?? api
const subscribe = async (hook: Receiver.Hook, ...events: ReadonlyArray<string>) =>
  (await api.create("webhook_endpoints", { url: hook.url, events })).id
const font = (nth: number) => turn(left, nth).create("assets", { name: unique(), asset_type: "font" })

/** Kills a process under load; the calls that it answered count, and the others go on. */
const killed = begin(async () => {
  const hook = receiver.hook((response) => void setTimeout(() => response.writeHead(204).end(), 50))
  await subscribe(hook, "store.created")
  const accepted: Array<string> = []
  let death: Promise<Server.Ended> | undefined
  let calls = 0
  const call = async (): Promise<void> => {
    const body = { name: unique(), platform: "swell" }
    const answer = await turn(all, (calls += 1))
      .request("POST", "stores", body)
      .catch(() => undefined)
    if (answer?.status === 201) accepted.push(answer.body.id)
    if (accepted.length >= LOAD) death ??= doomed.kill()
    if (accepted.length < 2 * LOAD) return call()
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  await death
  const arrived = () => new Set(hook.seen.map(({ body }) => body.data.id))
  await until("all that was accepted has arrived", () => accepted.every((id) => arrived().has(id)), LEASE_MS)
  return { hook, accepted }
})

/** What a receiver gets at its rate, of which more happens at once. It takes its time, which the other tests fill. */
const paced = begin(async () => {
  const hook = receiver.hook()
  await api.create("webhook_endpoints", { url: hook.url, events: ["asset.deleted"], max_per_second: RATE })
  const ids = await Promise.all(
    Array.from({ length: RATE * RATE_SECONDS }, async (_, nth) => {
      return (await turn(left, nth).create("assets", { name: unique(), asset_type: "background" })).id
    }),
  )
  const began = Date.now()
  await Promise.all(ids.map((id, nth) => turn(left, nth).delete(`assets/${id}`)))
  await until("all have arrived", () => hook.seen.length >= ids.length)
  return { began, seen: hook.seen }
})

describe("several processes", () => {
  it("start together on an empty database", async () => {
    for (const { url } of [answering, delivering, survivor]) {
      assert.strictEqual((await fetch(`${url}/health/ready`)).status, 200)
    }
  })

  it("answer by their role: one that only delivers has no API", async () => {
    assert.strictEqual((await connect(delivering.url, delivering.key).request("GET", "stores")).status, 404)
  })

  it("deliver what one accepts that only answers", async () => {
    const hook = receiver.hook()
    await subscribe(hook, "template.created")
    const store = await api.create("stores", { name: unique(), platform: "swell" })
    const { id } = await api.create("templates", { name: unique(), store_id: store.id })
    const { body } = await until("it arrives", () => hook.about(id)[0])
    assert.strictEqual(body.event, "template.created")
  })

  it("finalize a design once, however many are asked to at once", async () => {
    const hook = receiver.hook()
    await subscribe(hook, "design.finalized")
    const store = await api.create("stores", { name: unique(), platform: "swell" })
    const product = await api.create("products", { name: unique(), store_id: store.id })
    const design = await api.create("designs", { product_id: product.id })
    const calls = Array.from({ length: 20 }, (_, nth) =>
      turn(left, nth).request("POST", `designs/${design.id}/finalize`),
    )
    for (const { status } of await Promise.all(calls)) assert.strictEqual(status, 200)
    await until("it is told of", () => hook.about(design.id)[0])
    const { meta } = await api.list("events", { event: "design.finalized" })
    assert.strictEqual(meta.total, 1)
    assert.lengthOf(hook.about(design.id), 1)
  })

  it("know a key that was made elsewhere, and refuse it once it is revoked", async () => {
    const { id, key } = await json(answering, "key create --name elsewhere --scopes read")
    const statuses = () => Promise.all(living.map(({ url }) => connect(url, key).request("GET", "stores")))
    for (const { status } of await statuses()) assert.strictEqual(status, 200)
    await json(answering, `key revoke --id ${id}`)
    for (const { status } of await statuses()) assert.strictEqual(status, 401)
  })

  it("send to an endpoint in order one delivery at a time, in the order in which things happened", async () => {
    let under_way = 0
    const most: Array<number> = []
    const hook = receiver.hook((response) => {
      most.push((under_way += 1))
      setTimeout(() => {
        under_way -= 1
        response.writeHead(204).end()
      }, 10)
    })
    await api.create("webhook_endpoints", { url: hook.url, events: ["asset.created"], ordered: true })
    const happened: Array<string> = []
    for (let nth = 0; nth < 30; nth++) {
      happened.push((await turn(left, nth).create("assets", { name: unique(), asset_type: "clipart" })).id)
    }
    await until("all have arrived", () => hook.seen.length === happened.length)
    assert.deepStrictEqual(
      hook.seen.map(({ body }) => body.data.id),
      happened,
    )
    assert.strictEqual(Math.max(...most), 1)
  })

  it("send to an endpoint at its rate, together", async () => {
    const { began, seen } = await paced()
    assert.lengthOf(seen, RATE * RATE_SECONDS)
    // Whatever arrives late, none arrives before its turn, from the first on; a tenth of a second's may go at once.
    for (const [nth, { at }] of seen.entries()) assert.isAtLeast(at - began, 1_000 * ((nth - 1) / RATE - 0.1) - 5)
  })

  it("count failures exactly: five in a row disable, whoever made the attempts", async () => {
    const hook = receiver.hook(Receiver.status(500))
    const told = receiver.hook()
    const id = await subscribe(hook, "font.created")
    await subscribe(told, "webhook_endpoint.disabled")
    for (const nth of [0, 1, 2, 3]) await font(nth)
    const failures = (expected: number) =>
      until(
        `${expected} failures`,
        async () => (await api.get(`webhook_endpoints/${id}`)).consecutive_failures === expected,
      )
    await failures(4)
    assert.strictEqual((await api.get(`webhook_endpoints/${id}`)).status, "active")
    await font(0)
    await failures(5)
    assert.strictEqual((await api.get(`webhook_endpoints/${id}`)).status, "auto-disabled")
    await until("it is told of", () => told.about(id)[0])
    assert.lengthOf(told.about(id), 1)
  })
})

describe("a process that is killed under load", () => {
  it("takes nothing with it that was accepted", async () => {
    const { accepted, hook } = await killed()
    const arrived = new Set(hook.seen.map(({ body }) => body.data.id))
    assert.isAtLeast(accepted.length, 2 * LOAD)
    assert.isEmpty(accepted.filter((id) => !arrived.has(id)))
  })

  it("has only what it was sending sent again, in the same bytes", async () => {
    const { hook } = await killed()
    const deliveries = Map.groupBy(hook.seen, ({ body }) => body.id)
    const repeated: ReadonlyArray<Json> = [...deliveries.values()].filter(({ length }) => length > 1)
    for (const seen of deliveries.values()) assert.strictEqual(new Set(seen.map(({ text }) => text)).size, 1)
    for (const { length } of repeated) assert.strictEqual(length, 2)
    // So many are under way to one endpoint at most, and as many results not written yet.
    assert.isAtMost(repeated.length, 64)
  })

  it("leaves nothing that waits for ever", async () => {
    const { hook } = await killed()
    const [{ body }] = hook.seen as [Receiver.Seen]
    const { endpoint_id } = await api.get(`deliveries/${body.id}`)
    await until("every delivery has ended", async () => {
      const lists = ["pending", "delivering"].map((status) =>
        api.list(`webhook_endpoints/${endpoint_id}/deliveries`, { status }),
      )
      return (await Promise.all(lists)).every(({ meta }) => meta.total === 0)
    })
    const { meta } = await api.list(`webhook_endpoints/${endpoint_id}/deliveries`, { status: "succeeded" })
    assert.strictEqual(meta.total, new Set(hook.seen.map(({ body: { id } }) => id)).size)
  })
})
