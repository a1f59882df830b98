/** Many callers who create, change, move and delete the same few records at once. */
import { assert, it } from "vitest"
import { connect, type Method, unique } from "./Api.ts"
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
    const answers = await Promise.all((known["designs"] ?? []).map((id) => api.request("GET", `designs/${id}`)))
    const designs = answers.filter(({ status }) => status === 200).map(({ body }) => body)
    return { statuses, created: known["designs"] ?? [], designs }
  })
  /** The designs that the receiver was told of in this way, once for each delivery. */
  const toldOf = (event: string): ReadonlyArray<string> => {
    const deliveries = new Map(hook.seen.filter(({ body }) => body.event === event).map(({ body }) => [body.id, body]))
    return [...deliveries.values()].map(({ data }) => data.id).filter((id) => all.has(id))
  }

  it("is answered, with what is or is not there", async () => {
    const expected = new Set([200, 201, 204, 404, 409, 422])
    const { statuses } = await happened()
    assert.isEmpty([...statuses].filter((status) => !expected.has(status)))
  })

  it("leaves every design in the store of its product", async () => {
    const { designs } = await happened()
    for (const { product_id, store_id } of designs) {
      assert.strictEqual((await api.get(`products/${product_id}`)).store_id, store_id)
    }
  })

  it("is told of, once for each record: what is there as created, what is gone as deleted, too", async () => {
    const { created, designs } = await happened()
    const there = designs.map(({ id }) => id)
    const gone = created.filter((id) => !there.includes(id))
    await until("the last has arrived", () => {
      return toldOf("design.created").length >= created.length && toldOf("design.deleted").length >= gone.length
    })
    assert.sameMembers([...toldOf("design.created")], [...created])
    assert.sameMembers([...toldOf("design.deleted")], gone)
  })
}
