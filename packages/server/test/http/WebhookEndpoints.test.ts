import { afterAll, assert, describe, it } from "@effect/vitest"
import { WebhookEndpointTestResult, WebhookEndpointWithSecret } from "@tc/api"
import { Delivery, Event, SigningSecrets, WebhookEndpoint } from "@tc/domain"
import { Deliveries, WebhookEndpoints } from "@tc/store"
import { Effect, Schema } from "effect"
import * as Records from "./Records.ts"
import { start, type Json } from "./Service.ts"

const service = await start()
const lenient = await start({ delivery: { allow_private: true } })
afterAll(() => Promise.all([service.stop(), lenient.stop()]))

const at = "/api/v1/webhook_endpoints"
const create = async (more: object = {}) => (await service.post(at, { ...Records.endpoint, ...more })).body
const events = ({ body }: { readonly body: Json }) => body.data.map(({ event }: Json) => event)

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

const rotate = (id: string, body?: unknown) => service.post(`${at}/${id}/rotate_secret`, body)

describe("the rotation of a secret", () => {
  it("answers with the new secret, which nothing keeps, and the end of the overlap", async () => {
    const { secret, ...before } = await create()
    const answer = await rotate(before.id, { overlap_seconds: 60 })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.isTrue(Schema.is(WebhookEndpointWithSecret)(answer.body))
    assert.match(answer.body.secret, SECRET)
    assert.notStrictEqual(answer.body.secret, secret)
    const { secret_overlap_until, updated_at } = answer.body
    assert.strictEqual(Date.parse(secret_overlap_until) - Date.parse(updated_at), 60_000)
    const after = { ...before, secret: answer.body.secret, secret_overlap_until, updated_at }
    assert.deepStrictEqual(answer.body, after)
    assert.deepStrictEqual((await service.get(`${at}/${before.id}`)).body, after)
  })

  it("lets the older secret sign for a day unless it is told otherwise", async () => {
    const { id } = await create()
    for (const body of [undefined, {}]) {
      const { secret_overlap_until, updated_at } = (await rotate(id, body)).body
      assert.strictEqual(Date.parse(secret_overlap_until) - Date.parse(updated_at), 86_400_000)
    }
  })

  it("shows no older secret, nor any in a list, a PATCH or the log", async () => {
    const { id, secret } = await create()
    const rotated = await rotate(id, { overlap_seconds: 60 })
    const answers = [rotated, await service.get(`${at}/${id}`), await service.get(at)]
    for (const { text } of answers) assert.notInclude(text, secret)
    const changed = await service.patch(`${at}/${id}`, { description: "Order desk" })
    assert.notProperty(changed.body, "secret")
    assert.strictEqual(changed.body.secret_overlap_until, rotated.body.secret_overlap_until)
    assert.notInclude(JSON.stringify(service.logged), secret)
    assert.notInclude(JSON.stringify(service.logged), rotated.body.secret)
  })

  it("without an overlap shows none", async () => {
    const { id } = await create()
    await rotate(id, { overlap_seconds: 60 })
    assert.isNull((await rotate(id, { overlap_seconds: 0 })).body.secret_overlap_until)
  })

  it("shows no end of an overlap that is over", async () => {
    const { account_id, id } = await create()
    await service.run(
      Effect.flatMap(WebhookEndpoints, (endpoints) =>
        endpoints.modify(account_id, id, (row) =>
          WebhookEndpoint.rotate("v1:", 60)(row, new Date(Date.now() - 60_000).toISOString()),
        ),
      ),
    )
    const { body: page } = await service.get(at)
    const { body: changed } = await service.patch(`${at}/${id}`, { description: "Order desk" })
    assert.isNull(page.data.find((one: Json) => one.id === id).secret_overlap_until)
    assert.isNull(changed.secret_overlap_until)
  })

  it("refuses an overlap that is none", async () => {
    const { id, secret } = await create()
    for (const overlap_seconds of [-1, 604_801, 1.5, "60", null, true]) {
      const { body, status } = await rotate(id, { overlap_seconds })
      assert.strictEqual(status, 422)
      assert.lengthOf(body.errors, 1)
      assert.strictEqual(body.errors[0].path, "/overlap_seconds")
      assert.match(body.errors[0].message, /^must be an? (integer|number)/)
    }
    assert.strictEqual((await rotate(id, "[]")).status, 422)
    assert.strictEqual((await rotate(id, "{")).status, 400)
    assert.strictEqual((await service.get(`${at}/${id}`)).body.secret, secret)
  })

  it("is refused while ten secrets sign, and not once they are ended", async () => {
    const { id } = await create()
    for (let nth = 1; nth < 10; nth++) assert.strictEqual((await rotate(id)).status, 200)
    const { body, status } = await rotate(id)
    assert.deepStrictEqual([status, body.code], [409, "too_many_secrets"])
    assert.strictEqual((await rotate(id, { overlap_seconds: 0 })).status, 200)
    assert.strictEqual((await rotate(id)).status, 200)
  })

  it("takes an id in either case, and the secret signs", async () => {
    const { id } = await create()
    const { secret } = (await rotate(id.toUpperCase())).body
    assert.strictEqual((await service.get(`${at}/${id}`)).body.secret, secret)
  })

  it("is a test event's too", async () => {
    const { id } = await create()
    await rotate(id)
    await service.post(`${at}/${id}/test`)
    assert.lengthOf(SigningSecrets.all(service.sent.at(-1)?.secret ?? ""), 2)
  })

  it("takes the scope write, and an endpoint of the account", async () => {
    const { id } = await create()
    const path = `${at}/${id}/rotate_secret`
    const reader = await service.keyOf("default", { scopes: ["read", "delete"] })
    assert.strictEqual((await service.post(path, undefined, reader)).status, 403)
    assert.strictEqual((await service.post(path, undefined, await service.keyOf("another"))).status, 404)
    assert.strictEqual((await rotate(Records.nobody)).status, 404)
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

describe("deliveries", async () => {
  const endpoint = await create({ events: ["store.created", "store.deleted"] })
  const { body: store } = await service.post("/api/v1/stores", Records.store)
  await service.delete(`/api/v1/stores/${store.id}`)
  const list = (query = "") => service.get(`${at}/${endpoint.id}/deliveries${query}`)

  it("are listed by endpoint, newest first", async () => {
    const answer = await list()
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(events(answer), ["store.deleted", "store.created"])
    assert.isTrue(Schema.is(Delivery.Delivery)(answer.body.data[0]))
    assert.deepStrictEqual(answer.body.meta, { page: 1, per_page: 20, total: 2, total_pages: 1 })
  })

  it("are listed by event and by status", async () => {
    assert.deepStrictEqual(events(await list("?event=store.created")), ["store.created"])
    assert.deepStrictEqual(events(await list("?status=pending&per_page=1")), ["store.deleted"])
    assert.deepStrictEqual(events(await list("?status=failed")), [])
    const { body, status } = await list("?status=lost&event=nope")
    assert.strictEqual(status, 422)
    assert.deepStrictEqual(
      body.errors.map(({ path }: Json) => path),
      ["/status", "/event"],
    )
  })

  it("are not listed of another account's endpoint", async () => {
    const stranger = await service.keyOf("another")
    assert.strictEqual((await service.get(`${at}/${endpoint.id}/deliveries`, undefined, stranger)).status, 404)
  })

  it("are shown with their attempts", async () => {
    const [{ id }] = (await list()).body.data
    const { body, status } = await service.get(`/api/v1/deliveries/${id}`)
    assert.strictEqual(status, 200)
    assert.isTrue(Schema.is(Delivery.DeliveryDetail)(body))
    assert.deepStrictEqual(body.attempts, [])
    assert.strictEqual((await service.get(`/api/v1/deliveries/${Records.nobody}`)).status, 404)
    assert.strictEqual((await service.get("/api/v1/deliveries/nonsense")).status, 404)
  })

  const retry = async () => {
    const [{ id }] = (await list()).body.data
    const { body, status } = await service.post(`/api/v1/deliveries/${id}/retry`)
    return { id, body, refused: [status, body.code] }
  }

  it("are sent again when a person asks for it", async () => {
    const { body, id } = await retry()
    assert.isTrue(Schema.is(Delivery.Delivery)(body))
    assert.deepInclude(body, { id, status: "pending" })
    assert.strictEqual((await service.post(`/api/v1/deliveries/${Records.nobody}/retry`)).status, 404)
  })

  it("are not sent again to an endpoint that is disabled", async () => {
    await service.patch(`${at}/${endpoint.id}`, { status: "disabled" })
    assert.deepStrictEqual((await retry()).refused, [409, "endpoint_not_active"])
    await service.patch(`${at}/${endpoint.id}`, { status: "active" })
  })

  it("are not sent again while they are being sent", async () => {
    await retry()
    const claim = Effect.flatMap(Deliveries, (deliveries) =>
      deliveries.claim({ limit: 10, per_endpoint: 10, max_bytes: 1_000_000, saturated: [], lease_ms: 60_000 }),
    )
    await service.run(claim)
    assert.deepStrictEqual((await retry()).refused, [409, "delivery_in_progress"])
  })
})

describe("events", () => {
  it("are listed newest first, and by name", async () => {
    const { body, status } = await service.get("/api/v1/events")
    assert.strictEqual(status, 200)
    assert.strictEqual(body.data[0].event, "store.deleted")
    assert.isTrue(Schema.is(Event.Event)(body.data[0]))
    const created = (await service.get("/api/v1/events?event=store.created")).body
    assert.deepStrictEqual(
      created.data.map(({ event }: Json) => event),
      ["store.created"],
    )
    assert.strictEqual((await service.get("/api/v1/events?event=nope")).status, 422)
  })

  it("are another account's own", async () => {
    const stranger = await service.keyOf("another")
    assert.strictEqual((await service.get("/api/v1/events", undefined, stranger)).body.meta.total, 0)
  })

  it("never carry a secret", async () => {
    assert.notInclude((await service.get("/api/v1/events?per_page=100")).text, "whsec_")
    assert.notProperty(WebhookEndpoint.resource.record.fields, "secret")
  })
})
