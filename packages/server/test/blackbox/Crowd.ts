/** Many callers who create, change, move and delete the same few records at once. */
import { assert, it } from "vitest"
import { connect, type Json, type Method, unique } from "./Api.ts"
import type { Receiver } from "./Receiver.ts"
import type { Server } from "./Server.ts"
import { begin, until } from "./Until.ts"

const CALLERS = 16
const CALLS = 800
/** The latest records of a kind that calls go to: few, so that they meet. */
const FEW = 6

export const crowd = (server: Server, receiver: Receiver): void => {
  const api = connect(server.url, server.key)
  const hook = receiver.hook()
  const known: Record<string, Array<string>> = {}
  const all = new Set<string>()
  const any = (path: string): string => {
    const few = known[path]?.slice(-FEW) ?? []
    return few[Math.floor(Math.random() * few.length)] ?? crypto.randomUUID()
  }

  const calls: ReadonlyArray<() => readonly [Method, path: string, body?: object]> = [
    () => ["POST", "stores", { name: unique(), platform: "swell" }],
    () => ["POST", "products", { name: unique(), store_id: any("stores") }],
    () => ["POST", "products", { name: unique(), store_id: any("stores") }],
    () => ["POST", "designs", { product_id: any("products") }],
    () => ["POST", "designs", { product_id: any("products"), status: "finalized" }],
    () => ["PATCH", `products/${any("products")}`, { store_id: any("stores") }],
    () => ["PATCH", `designs/${any("designs")}`, { product_id: any("products"), canvas_data: { at: Math.random() } }],
    () => ["POST", `designs/${any("designs")}/finalize`],
    () => ["DELETE", `designs/${any("designs")}`],
    () => ["DELETE", `products/${any("products")}`],
    () => ["DELETE", `stores/${any("stores")}`],
  ]

  const happened = begin(async () => {
    await api.create("webhook_endpoints", { url: hook.url, events: "*" })
    const statuses = new Set<number>()
    let left = CALLS
    const call = async (): Promise<void> => {
      if (left-- <= 0) return
      const [method, path, body] = calls[left % calls.length]?.() ?? ["GET", "stores"]
      const answer = await api.request(method, path, body)
      statuses.add(answer.status)
      if (answer.status === 201) {
        known[path] = [...(known[path] ?? []), answer.body.id]
        all.add(answer.body.id)
      }
      return call()
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    const events = await api.eventsAbout(...all)
    const designs = await Promise.all((known["designs"] ?? []).map((id) => api.request("GET", `designs/${id}`)))
    return { statuses, events, designs: designs.filter(({ status }) => status === 200).map(({ body }) => body) }
  })

  it("is answered, with what is or is not there", async () => {
    const { statuses } = await happened()
    assert.sameMembers([200, 201, 204, 404, 409, 422], [...statuses, 409, 422])
  })

  it("leaves every record that is there told of as created, and every other one as deleted, once", async () => {
    const { designs, events } = await happened()
    const told = (event: string) => events.filter((one) => one.event === event).map(({ data }) => data.id)
    const created = told("design.created")
    const deleted = told("design.deleted")
    assert.strictEqual(new Set(created).size, created.length)
    assert.sameMembers([...designs.map(({ id }) => id), ...deleted], created)
  })

  it("leaves every design in the store of its product", async () => {
    const { designs } = await happened()
    for (const { product_id, store_id } of designs) {
      assert.strictEqual((await api.get(`products/${product_id}`)).store_id, store_id)
    }
  })

  it("is told of to the receiver, event by event", async () => {
    const { events } = await happened()
    const key = ({ data, event }: Json) => `${event} ${data.id} ${data.updated_at}`
    await until("all events have arrived", () => {
      const arrived = new Set(hook.seen.map(({ body }) => key(body)))
      return events.every((event) => arrived.has(key(event)))
    })
    assert.isNotEmpty(events)
  })
}
