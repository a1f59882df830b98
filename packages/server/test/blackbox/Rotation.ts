/** A signing secret that is replaced while deliveries go on, as its receivers see it. */
import { verify } from "@tc/webhooks/verify"
import { Webhook } from "standardwebhooks"
import { assert, it } from "vitest"
import { connect, type Json, unique } from "./Api.ts"
import type { Receiver, Seen } from "./Receiver.ts"
import type { Server } from "./Server.ts"
import { checkSigned } from "./Signed.ts"
import { until } from "./Until.ts"

/** Checks that a receiver with this secret takes a delivery, with our own `verify` or with the library of Standard Webhooks. */
const checkTaken = async ({ body, headers, text }: Seen, secret: string) => {
  assert.deepStrictEqual(await verify({ headers, body: text }, secret), { ok: true, event: body })
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
  const standard = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  assert.deepStrictEqual(new Webhook(secret).verify(text, standard), body)
}

export const rotation = (server: Server, receiver: Receiver): void => {
  const api = connect(server.url, server.key)

  /** An endpoint that hears of one store, and of what is done to it. */
  const begin = async () => {
    const hook = receiver.hook()
    const endpoint = await api.create("webhook_endpoints", { url: hook.url, events: ["store.updated"] })
    const at = `webhook_endpoints/${endpoint.id}`
    const { id } = await api.create("stores", { name: unique(), platform: "swell" })
    const update = async () => {
      const before = hook.about(id).length
      await api.modify(`stores/${id}`, { name: unique() })
      await until("it is told of", () => hook.about(id).length > before)
      return hook.about(id).at(-1)!
    }
    const rotate = (overlap_seconds: number): Promise<Json> => api.act(`${at}/rotate_secret`, { overlap_seconds })
    return { at, hook, old: endpoint.secret, update, rotate }
  }

  it("lets receivers with either secret verify every delivery during the overlap, tests included", async () => {
    const { at, hook, old, rotate, update } = await begin()
    const { secret, secret_overlap_until } = await rotate(600)
    assert.isAbove(Date.parse(secret_overlap_until), Date.now())
    assert.strictEqual((await api.get(at)).secret, secret)
    await update()
    await api.act(`${at}/test`)
    assert.lengthOf(hook.seen, 2)
    for (const seen of hook.seen) {
      await checkTaken(seen, secret)
      await checkTaken(seen, old)
    }
  })

  it("breaks no receiver when its answer is lost and it is asked again", async () => {
    const { old, rotate, update } = await begin()
    const [lost, kept] = [await rotate(600), await rotate(600)]
    const seen = await update()
    assert.lengthOf(String(seen.headers["webhook-signature"]).split(" "), 3)
    for (const secret of [old, lost.secret, kept.secret]) await checkTaken(seen, secret)
  })

  it("ends with its overlap, and at once where there is none", async () => {
    const { at, rotate, update } = await begin()
    const { secret } = await rotate(1)
    await until("the overlap is over", async () => (await api.get(at)).secret_overlap_until === null)
    assert.isTrue(await checkSigned(await update(), secret))
    await rotate(600)
    const last = await rotate(0)
    assert.isTrue(await checkSigned(await update(), last.secret))
  })
}
