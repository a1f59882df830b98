/** Deliveries and events over HTTP: how they are listed and shown, and sent again. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Delivery, Event, Value, WebhookEndpoint } from "@tc/domain"
import { Deliveries } from "@tc/store"
import { Effect, Schema } from "effect"
import * as Records from "./Records.ts"
import { start, type Json } from "./Service.ts"

const service = await start()
afterAll(() => service.stop())

const at = "/api/v1/webhook_endpoints"
const create = async (more: object = {}) => (await service.post(at, { ...Records.endpoint, ...more })).body
const events = ({ body }: { readonly body: Json }) => body.data.map(({ event }: Json) => event)

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

  it("are listed by when their events happened", async () => {
    const [latest, first] = (await list()).body.data.map(({ created_at }: Json) => Date.parse(created_at))
    assert.lengthOf(events(await list(`?since=${Value.timestamp(first)}&until=${Value.timestamp(latest)}`)), 2)
    assert.deepStrictEqual(events(await list(`?since=${Value.timestamp(latest + 1_000)}`)), [])
    assert.deepStrictEqual(events(await list("?until=2026-01-01T01:00:00%2B01:00&event=store.created")), [])
    const { body, status } = await list("?since=yesterday&until=2026-01-01")
    assert.strictEqual(status, 422)
    assert.deepStrictEqual(
      body.errors.map(({ path }: Json) => path),
      ["/since", "/until"],
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
      deliveries.claim({
        limit: 10,
        per_endpoint: 10,
        quick: [],
        max_bytes: 1_000_000,
        saturated: [],
        lease_ms: 60_000,
      }),
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
