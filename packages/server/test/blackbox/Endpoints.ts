/** Webhook endpoints as records: their fields, secrets, subscriptions and status. */
import { assert, describe, it } from "vitest"
import { connect, unique } from "./Api.ts"
import type { Server } from "./Server.ts"

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

const target = () => `https://receiver.example/${unique()}`

export const endpoints = (server: Server): void => {
  const api = connect(server.url, server.key)
  const create = (more: object = {}) =>
    api.create("webhook_endpoints", { url: target(), events: ["store.synced"], ...more })

  it("have their defaults and a secret when only the required fields are sent", async () => {
    const sent = { url: target(), events: ["store.synced", "mockup.generated"] }
    const { id, account_id, created_at, updated_at, secret, ...record } = await api.create("webhook_endpoints", sent)
    const gates = { max_per_second: null, ordered: false, disable_on_gone: false }
    const defaults = {
      description: null,
      status: "active",
      consecutive_failures: 0,
      disabled_at: null,
      secret_overlap_until: null,
    }
    assert.deepStrictEqual(record, { ...sent, ...gates, ...defaults })
    assert.match(secret, SECRET)
    assert.isTrue([id, account_id, created_at, updated_at].every((value) => typeof value === "string"))
  })

  it("show the secret at creation and alone, and nowhere else", async () => {
    const { secret, ...record } = await create()
    assert.deepStrictEqual(await api.get(`webhook_endpoints/${record.id}`), { ...record, secret })
    const { data } = await api.list("webhook_endpoints", { per_page: "100" })
    assert.deepStrictEqual(
      data.find(({ id }) => id === record.id),
      record,
    )
    assert.isTrue(data.every((one) => !("secret" in one)))
    assert.notProperty(await api.modify(`webhook_endpoints/${record.id}`, { description: "x" }), "secret")
  })

  it("have a secret each, which no caller chooses or changes", async () => {
    const [one, two] = [await create({ secret: "whsec_chosen" }), await create()]
    assert.notStrictEqual(one.secret, two.secret)
    await api.modify(`webhook_endpoints/${one.id}`, { secret: two.secret })
    assert.strictEqual((await api.get(`webhook_endpoints/${one.id}`)).secret, one.secret)
  })

  it("take * in both spellings for all events", async () => {
    assert.deepStrictEqual((await create({ events: "*", status: "disabled" })).events, ["*"])
    assert.deepStrictEqual((await create({ events: ["*"], status: "disabled" })).events, ["*"])
  })

  it("refuse no events, and events that are none", async () => {
    const url = target()
    assert.deepStrictEqual(await api.wrong("POST", "webhook_endpoints", {}), ["/events", "/url"])
    assert.deepStrictEqual(
      await api.wrong("POST", "webhook_endpoints", { url, events: ["store.created", "store.exploded"] }),
      ["/events/1"],
    )
    for (const events of [[], "store.created", null, {}, ["*", "store.created"]]) {
      assert.deepStrictEqual(await api.wrong("POST", "webhook_endpoints", { url, events }), ["/events"])
    }
  })

  it("refuse targets that are no URLs, or carry credentials", async () => {
    const events = ["store.created"]
    for (const url of [
      "",
      "/hooks",
      "receiver.example",
      "ftp://a.example/",
      "https://",
      "https://user:pass@a.example/",
      1,
    ]) {
      assert.deepStrictEqual(await api.wrong("POST", "webhook_endpoints", { url, events }), ["/url"])
    }
  })

  it("are changed by a PATCH where it says so", async () => {
    const { secret: _, ...before } = await create()
    const change = { url: target(), events: ["font.deleted"], description: "Staging" }
    const after = await api.modify(`webhook_endpoints/${before.id}`, change)
    assert.deepStrictEqual(after, { ...before, ...change, updated_at: after.updated_at })
    assert.deepStrictEqual(await api.modify(`webhook_endpoints/${before.id}`, change), after)
    assert.isNull((await api.modify(`webhook_endpoints/${before.id}`, { description: null })).description)
    const wrong = { url: "x", events: ["x"], status: "auto-disabled" }
    const refusal = await api.wrong("PATCH", `webhook_endpoints/${before.id}`, wrong)
    assert.deepStrictEqual(refusal, ["/events/0", "/status", "/url"])
  })

  it("are disabled and enabled by hand", async () => {
    const { id } = await create()
    const off = await api.modify(`webhook_endpoints/${id}`, { status: "disabled" })
    assert.strictEqual(off.status, "disabled")
    assert.match(off.disabled_at, /Z$/)
    const on = await api.modify(`webhook_endpoints/${id}`, { status: "active" })
    assert.deepStrictEqual([on.status, on.disabled_at, on.consecutive_failures], ["active", null, 0])
  })

  it("ignore read-only fields", async () => {
    const foreign = {
      consecutive_failures: 4,
      disabled_at: "2020-01-01T00:00:00.000Z",
      account_id: crypto.randomUUID(),
    }
    const record = await create(foreign)
    assert.deepStrictEqual([record.consecutive_failures, record.disabled_at], [0, null])
    const after = await api.modify(`webhook_endpoints/${record.id}`, { ...foreign, id: crypto.randomUUID() })
    assert.deepStrictEqual({ ...after, secret: record.secret }, record)
  })

  it("are created once under an id of the caller's", async () => {
    const sent = { id: crypto.randomUUID(), url: target(), events: "*", status: "disabled" }
    assert.strictEqual((await api.create("webhook_endpoints", sent)).id, sent.id)
    assert.strictEqual(await api.failure("POST", "webhook_endpoints", sent), "409 id_taken")
  })

  it("are found by their URL, in pages, newest first", async () => {
    const q = unique()
    const created: Array<string> = []
    for (const nth of [1, 2, 3]) created.push((await create({ url: `https://a.example/${q}/${nth}` })).id)
    const { data, meta } = await api.list("webhook_endpoints", { q: q.toUpperCase(), per_page: "2" })
    assert.deepStrictEqual(
      data.map(({ id }) => id),
      [created[2], created[1]],
    )
    assert.deepStrictEqual(meta, { page: 1, per_page: 2, total: 3, total_pages: 2 })
  })

  it("are gone after their deletion", async () => {
    const { id } = await create()
    await api.delete(`webhook_endpoints/${id}`)
    for (const path of [`webhook_endpoints/${id}`, `webhook_endpoints/${id}/deliveries`]) {
      assert.strictEqual(await api.failure("GET", path), "404 not_found")
    }
    assert.strictEqual(await api.failure("POST", `webhook_endpoints/${id}/test`), "404 not_found")
  })

  it("raise no events when people change them", async () => {
    const { id } = await create()
    await api.modify(`webhook_endpoints/${id}`, { status: "disabled" })
    await api.delete(`webhook_endpoints/${id}`)
    assert.deepStrictEqual(await api.eventsAbout(id), [])
  })

  describe("lists of events and deliveries", () => {
    it("refuse filters that are none", async () => {
      const { id } = await create()
      const refusal = await api.wrong("GET", "events?event=x&page=0")
      assert.deepStrictEqual(refusal, ["/event", "/page"])
      const of = `webhook_endpoints/${id}/deliveries?event=x&status=x`
      assert.deepStrictEqual(await api.wrong("GET", of), ["/event", "/status"])
      for (const path of ["deliveries/1", `deliveries/${id}`])
        assert.strictEqual(await api.failure("GET", path), "404 not_found")
      assert.strictEqual(await api.failure("POST", `deliveries/${id}/retry`), "404 not_found")
    })
  })
}
