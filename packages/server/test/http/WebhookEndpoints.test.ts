/** Webhook endpoints over HTTP, and the test of one. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { WebhookEndpointTestResult, WebhookEndpointWithSecret } from "@tc/api"
import { Event } from "@tc/domain"
import { Schema } from "effect"
import * as Records from "./Records.ts"
import { start } from "./Service.ts"

const service = await start()
const lenient = await start({ delivery: { allow_private: true } })
afterAll(() => Promise.all([service.stop(), lenient.stop()]))

const at = "/api/v1/webhook_endpoints"
const create = async (more: object = {}) => (await service.post(at, { ...Records.endpoint, ...more })).body
/** A test of a new endpoint. */
const tryOut = async (body?: unknown) => {
  const endpoint = await create({ status: "disabled" })
  const answer = await service.post(`${at}/${endpoint.id}/test`, body)
  return { answer, endpoint, target: service.sent.at(-1) }
}
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

describe("webhook endpoints", () => {
  it("show their secret in the answers to create and to a single get", async () => {
    const created = await service.post(at, Records.endpoint)
    assert.strictEqual(created.status, 201)
    assert.strictEqual(created.headers.get("location"), `${at}/${created.body.id}`)
    assert.strictEqual(created.headers.get("cache-control"), "no-store")
    assert.isTrue(Schema.is(WebhookEndpointWithSecret)(created.body))
    assert.match(created.body.secret, SECRET)
    assert.deepStrictEqual((await service.get(`${at}/${created.body.id}`)).body, created.body)
  })

  it("show it nowhere else", async () => {
    const { id, secret } = await create()
    const answers = [await service.get(at), await service.patch(`${at}/${id}`, { description: "Order desk" })]
    for (const { status, text } of answers) {
      assert.strictEqual(status, 200)
      assert.notInclude(text, `"secret"`)
      assert.notInclude(text, secret)
    }
    assert.notInclude(JSON.stringify(service.logged), secret)
  })

  it("have a secret each", async () => assert.notStrictEqual((await create()).secret, (await create()).secret))

  it("take the bare star for all events", async () =>
    assert.deepStrictEqual((await create({ events: "*" })).events, ["*"]))

  it("refuse events that are not in the catalogue", async () => {
    for (const events of [["design.created", "design.exploded"], [], "design.created", ["*", "design.created"], null]) {
      const { body, status } = await service.post(at, { ...Records.endpoint, events })
      assert.strictEqual(status, 422, JSON.stringify(events))
      assert.match(body.errors[0].path, /^\/events/)
    }
  })

  it("refuse targets that no delivery may go to, at creation and later", async () => {
    const { id } = await create()
    for (const url of [
      "http://example.com/webhooks",
      "https://user:password@example.com/",
      "https://127.0.0.1/",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      "https://localhost/",
      "https://0x7f000001/",
    ]) {
      for (const answer of [
        await service.post(at, { ...Records.endpoint, url }),
        await service.patch(`${at}/${id}`, { url }),
      ]) {
        assert.strictEqual(answer.status, 422, url)
        assert.strictEqual(answer.body.errors[0].path, "/url")
      }
    }
    assert.strictEqual((await service.get(`${at}/${id}`)).body.url, Records.endpoint.url)
  })

  it("refuse a target beside all else that is wrong", async () => {
    const { body } = await service.post(at, { url: "http://example.com", events: [] })
    assert.deepStrictEqual(
      body.errors.map(({ path }: { readonly path: string }) => path),
      ["/events", "/url"],
    )
  })

  it("may go anywhere where the setting allows it", async () =>
    assert.strictEqual((await lenient.post(at, { ...Records.endpoint, url: "http://127.0.0.1:9/x" })).status, 201))

  it("are disabled and enabled by PATCH, but not to auto-disabled", async () => {
    const { id } = await create()
    const disabled = (await service.patch(`${at}/${id}`, { status: "disabled" })).body
    assert.strictEqual(disabled.status, "disabled")
    assert.isNotNull(disabled.disabled_at)
    const { body } = await service.patch(`${at}/${id}`, { status: "active" })
    assert.deepInclude(body, { status: "active", disabled_at: null, consecutive_failures: 0 })
    assert.strictEqual((await service.patch(`${at}/${id}`, { status: "auto-disabled" })).status, 422)
  })

  it("are disabled from their first moment where they are made so", async () => {
    const { body } = await service.post(at, { ...Records.endpoint, status: "disabled" })
    assert.deepStrictEqual([body.status, body.disabled_at], ["disabled", body.created_at])
  })

  it("are deleted, and not another account's", async () => {
    const { id } = await create()
    const stranger = await service.keyOf("another")
    assert.strictEqual((await service.delete(`${at}/${id}`, undefined, stranger)).status, 404)
    assert.strictEqual((await service.delete(`${at}/${id}`)).status, 204)
    assert.strictEqual((await service.get(`${at}/${id}`)).status, 404)
  })
})

describe("a test of an endpoint", () => {
  it("sends design.finalized when it names no event, whatever the endpoint's status", async () => {
    const { answer, endpoint, target } = await tryOut()
    assert.strictEqual(answer.status, 200)
    assert.isTrue(Schema.is(WebhookEndpointTestResult)(answer.body))
    assert.deepInclude(answer.body, { event: "design.finalized", status_code: 204, error: null })
    assert.notProperty(answer.body, "retry_after")
    assert.deepInclude(target, { endpoint_id: endpoint.id, account_id: endpoint.account_id, url: endpoint.url })
  })

  it("sends a sample of the event that it names, as a delivery would look", async () => {
    const { answer, endpoint, target } = await tryOut({ event: "store.created" })
    assert.strictEqual(answer.body.event, "store.created")
    const sent = JSON.parse(Event.body(target?.id ?? "", target?.tail ?? ""))
    assert.isTrue(Schema.is(Event.envelope("store.created"))(sent))
    assert.strictEqual(sent.account_id, endpoint.account_id)
  })

  it("leaves no delivery and no event behind", async () => {
    const { endpoint } = await tryOut()
    assert.strictEqual((await service.get(`${at}/${endpoint.id}/deliveries`)).body.meta.total, 0)
    const { body } = await service.get("/api/v1/events?event=design.finalized")
    assert.strictEqual(body.meta.total, 0)
  })

  it("refuses an event that there is none of", async () => {
    const { answer } = await tryOut({ event: "design.exploded" })
    assert.strictEqual(answer.status, 422)
    assert.strictEqual(answer.body.errors[0].path, "/event")
  })

  it("finds no endpoint that there is none of", async () =>
    assert.strictEqual((await service.post(`${at}/${Records.nobody}/test`)).status, 404))
})
