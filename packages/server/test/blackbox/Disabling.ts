/** When an endpoint is given up, who is told, and how it comes back. Also: how little endpoints matter to each other. */
import { assert, describe, it } from "vitest"
import { type Api, sorted, unique } from "./Api.ts"
import * as Receiver from "./Receiver.ts"
import { checkSigned } from "./Signed.ts"
import { begin, pause, until } from "./Until.ts"

const { status } = Receiver
/** Deliveries that end in failure before an endpoint is disabled. */
const LIMIT = 5

const times = <A>(count: number, run: () => Promise<A>) => Promise.all(Array.from({ length: count }, run))

/** In an account of its own, where nothing else happens. */
export const disabling = (api: Api, receiver: Receiver.Receiver): void => {
  const font = (name = unique()) => api.create("assets", { name, asset_type: "font" })
  const listen = (hook: Receiver.Hook, ...events: ReadonlyArray<string>) =>
    api.create("webhook_endpoints", { url: hook.url, events })
  const countOf = async (id: string) => (await api.get(`webhook_endpoints/${id}`)).consecutive_failures

  describe("that fails all the time", () => {
    const waits = unique()
    const failing: Receiver.Reply = (response, nth, seen) =>
      status(503, seen.body.data.name === waits ? { "retry-after": "3600" } : {})(response, nth, seen)
    const happened = begin(async () => {
      const [hook, other] = [receiver.hook(failing), receiver.hook()]
      const { id } = await listen(hook, "font.created", "webhook_endpoint.disabled")
      const watcher = await listen(other, "webhook_endpoint.disabled")
      await font(waits)
      // Another endpoint of the account may be disabled meanwhile, which this one is told of too.
      const fonts = () => hook.seen.filter(({ body }) => body.event === "font.created")
      const list = () => api.list(`webhook_endpoints/${id}/deliveries`, { per_page: "100", event: "font.created" })
      await until("one delivery waits for an hour", () => fonts().length === 1)
      await times(LIMIT, () => font())
      const told = await until("the other endpoint is told", () => other.about(id)[0])
      const at = `webhook_endpoints/${id}`
      const { secret: _, ...disabled } = await api.get(at)
      const { data: deliveries } = await list()
      await font()
      // What must not come cannot be waited for: this is longer than all attempts of a delivery.
      await pause(1_000)
      const { data: later } = await list()
      const enabled = await api.modify(at, { status: "active" })
      hook.reply = status(204)
      const { id: after } = await font()
      await until("it hears of what happens from then on", () => hook.about(after)[0])
      return { hook, fonts, other, told, watcher, disabled, deliveries, later, enabled, after }
    })

    it("is disabled after 5 deliveries", async () => {
      const { disabled } = await happened()
      assert.deepStrictEqual([disabled.status, disabled.consecutive_failures], ["auto-disabled", LIMIT])
      assert.isAtMost(Date.parse(disabled.disabled_at), Date.now())
    })

    it("has its waiting deliveries canceled", async () => {
      const { deliveries } = await happened()
      const statuses = sorted(deliveries.map(({ status }) => status))
      assert.deepStrictEqual(statuses, ["canceled", ...Array.from({ length: LIMIT }, () => "failed")])
    })

    it("is told of to the others, once, signed, without its secret", async () => {
      const { disabled, other, told, watcher } = await happened()
      await checkSigned(told, watcher.secret)
      assert.deepStrictEqual(told.body.data, disabled)
      assert.strictEqual(new Set(other.about(disabled.id).map(({ body }) => body.id)).size, 1)
    })

    it("is not told of itself, then or later", async () => {
      const { disabled, hook } = await happened()
      assert.deepStrictEqual(hook.about(disabled.id), [])
    })

    it("is sent nothing while it is disabled", async () => {
      const { deliveries, later } = await happened()
      assert.deepStrictEqual(later, deliveries)
    })

    it("starts anew when it is enabled, with the next event", async () => {
      const { after, deliveries, enabled, fonts } = await happened()
      assert.deepStrictEqual([enabled.status, enabled.consecutive_failures, enabled.disabled_at], ["active", 0, null])
      const ids = new Set(fonts().map(({ body }) => body.data.id))
      assert.strictEqual(ids.size, deliveries.length + 1)
      assert.isTrue(ids.has(after))
    })
  })

  it("that succeeds in between is not disabled, for only failures in a row count", async () => {
    const hook = receiver.hook(status(500))
    const { id } = await listen(hook, "font.deleted")
    const fail = async () => {
      hook.reply = status(500)
      await times(LIMIT - 1, async () => api.delete(`assets/${(await font()).id}`))
      await until("4 deliveries failed", async () => (await countOf(id)) === LIMIT - 1)
    }
    await fail()
    hook.reply = status(200)
    await api.delete(`assets/${(await font()).id}`)
    await until("one arrives", async () => (await countOf(id)) === 0)
    await fail()
    assert.strictEqual((await api.get(`webhook_endpoints/${id}`)).status, "active")
  })

  it("that never answers does not delay another", async () => {
    const [slow, fast] = [receiver.hook(Receiver.never), receiver.hook()]
    await listen(slow, "store.created", "store.updated")
    await listen(fast, "store.updated")
    const created = await times(300, () => api.create("stores", { name: unique(), platform: "swell" }))
    const { id } = created.at(-1)
    await api.modify(`stores/${id}`, { active: false })
    await until("the other one is told", () => fast.about(id)[0])
    assert.isBelow(new Set(slow.seen.map(({ body }) => body.id)).size, created.length)
  })

  describe("that is tried", () => {
    it("gets one signed sample, and the answer says what became of it", async () => {
      const hook = receiver.hook(status(418))
      const { id, secret } = await listen(hook, "mockup.generated")
      const { started_at, duration_ms, ...result } = await api.act(`webhook_endpoints/${id}/test`)
      assert.deepStrictEqual(result, {
        event: "design.finalized",
        status_code: 418,
        error: null,
        response_excerpt: "noted",
      })
      assert.isAtMost(Date.parse(started_at) + duration_ms, Date.now() + 5)
      assert.deepStrictEqual(
        hook.seen.map(({ body }) => body.event),
        ["design.finalized"],
      )
      for (const seen of hook.seen) await checkSigned(seen, secret)
      assert.strictEqual(await countOf(id), 0)
    })

    it("gets a sample of any event", async () => {
      const hook = receiver.hook()
      const { id, secret } = await listen(hook, "mockup.generated")
      for (const event of ["bulk_order.completed", "webhook_endpoint.disabled", "store.created"]) {
        const result = await api.act(`webhook_endpoints/${id}/test`, { event })
        assert.deepStrictEqual([result.event, result.status_code], [event, 204])
      }
      for (const seen of hook.seen) await checkSigned(seen, secret)
      assert.strictEqual(
        await api.failure("POST", `webhook_endpoints/${id}/test`, { event: "store.exploded" }),
        "422 validation_failed",
      )
    })

    it("may be out of reach, which the answer says", async () => {
      const { id } = await api.create("webhook_endpoints", {
        url: `http://127.0.0.1:${Receiver.CLOSED_PORT}/`,
        events: ["mockup.generated"],
      })
      const { error, status_code } = await api.act(`webhook_endpoints/${id}/test`)
      assert.deepStrictEqual([error, status_code], ["connection_refused", null])
    })
  })
}
