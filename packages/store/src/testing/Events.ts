/** What is kept of an event, and who is told of it. */
import { assert } from "@effect/vitest"
import { Event, Id, Limits, Resource, Sample, Store } from "@tc/domain"
import { Clock, Effect, Result } from "effect"
import { Events } from "../Events.ts"
import { Stores, WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Subjects from "./Subjects.ts"

const kept = (it: Tests): void => {
  it.effect("an event is kept with its record, also when nobody is to be told", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const before = yield* Clock.currentTimeMillis
      const row = yield* Fixture.store(account_id)
      const { data } = yield* (yield* Events).list(account_id, Fixture.all)
      assert.strictEqual(data.length, 1)
      const { event, api_version, occurred_at } = data[0]!
      assert.deepStrictEqual([event, api_version], ["store.created", Event.API_VERSION])
      assert.isAtLeast(Date.parse(occurred_at), before)
      assert.isAtMost(Date.parse(occurred_at), yield* Clock.currentTimeMillis)
      assert.deepStrictEqual(data[0]!.data, { ...Resource.show(Store.resource, row) })
      assert.deepStrictEqual(Object.keys(data[0]!), ["id", "event", "account_id", "occurred_at", "api_version", "data"])
    }),
  )

  it.effect("events are listed newest first, by name, in pages, with exact totals", () =>
    Effect.gen(function* () {
      const events = yield* Events
      const account_id = yield* Fixture.account
      yield* Fixture.asset(account_id)
      yield* Fixture.asset(account_id, { asset_type: "font" })
      yield* Fixture.asset(account_id)
      const list = (page: number, event?: string) =>
        Effect.map(
          events.list(account_id, { page, per_page: 2, ...(event === undefined ? {} : { event }) }),
          ({ data, meta }) => [meta.total, ...data.map(({ event }) => event)],
        )
      assert.deepStrictEqual(yield* list(1), [3, "asset.created", "font.created"])
      assert.deepStrictEqual(yield* list(2), [3, "asset.created"])
      assert.deepStrictEqual(yield* list(1, "font.created"), [1, "font.created"])
      assert.deepStrictEqual(yield* list(1, "asset.deleted"), [0])
    }),
  )

  it.effect("the exact text of an event is there for its own account", () =>
    Effect.gen(function* () {
      const { list, tail } = yield* Events
      const [account_id, other] = [yield* Fixture.account, yield* Fixture.account]
      yield* Fixture.asset(account_id, { metadata: { "2": 1, "1": 2.5, text: "\u2028" } })
      const [event] = (yield* list(account_id, Fixture.all)).data
      const { id, ...rest } = event!
      assert.strictEqual(yield* tail(account_id, id), JSON.stringify(rest).slice(1))
      assert.isNull(yield* tail(other, id))
      assert.isNull(yield* tail(account_id, Id.EventId.id.make(crypto.randomUUID())))
    }),
  )

  it.effect("events that one change raises keep their order", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.store(account_id)
      const names = [
        "store.connected",
        "store.synced",
        "store.updated",
        "store.disconnected",
        "store.sync_failed",
      ] as const
      yield* (yield* Stores).modify(account_id, id, (row) => {
        const data = Resource.show(Store.resource, row)
        return Result.succeed({ row: { ...row }, events: names.map((event) => ({ event, data })) })
      })
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["store.created", ...names])
    }),
  )

  it.effect("a font is told apart from the other assets", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* Fixture.asset(account_id, { asset_type: "font" })
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["font.created"])
    }),
  )

  it.effect("endpoints come, change and go untold", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.endpoint(account_id)
      yield* Fixture.patchEndpoint(account_id, id, { description: "Ours" })
      yield* (yield* WebhookEndpoints).delete(account_id, id)
      assert.deepStrictEqual(yield* Fixture.told(account_id), [])
    }),
  )
}

const delivered = (it: Tests): void => {
  it.effect("every active endpoint that wants an event gets one delivery of it", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const all = yield* Fixture.endpoint(account_id)
      const some = yield* Fixture.endpoint(account_id, { events: ["asset.created", "store.created"] })
      yield* Fixture.endpoint(account_id, { events: ["asset.deleted"] })
      yield* Fixture.endpoint(account_id, { status: "disabled" })
      yield* Fixture.asset(account_id)
      const deliveries = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual(deliveries.map(({ endpoint_id }) => endpoint_id).toSorted(), [all.id, some.id].toSorted())
      const [event] = (yield* (yield* Events).list(account_id, Fixture.all)).data
      assert.deepStrictEqual(
        deliveries.map(({ event_id }) => event_id),
        [event!.id, event!.id],
      )
    }),
  )

  it.effect("an endpoint gets what happens from its creation on", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* Fixture.store(account_id)
      yield* Fixture.endpoint(account_id)
      assert.deepStrictEqual(yield* Fixture.deliveries(account_id), [])
      yield* Fixture.asset(account_id)
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id)).map(({ event }) => event),
        ["asset.created"],
      )
    }),
  )

  it.effect("a delivery is born pending and due", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const { id: endpoint_id } = yield* Fixture.endpoint(account_id)
      yield* Fixture.asset(account_id)
      const [delivery] = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual(delivery, {
        ...delivery!,
        account_id,
        endpoint_id,
        event: "asset.created",
        status: "pending",
        attempt_count: 0,
        due_at: delivery!.created_at,
        lease_until: null,
        updated_at: delivery!.created_at,
      })
      assert.strictEqual(Id.DeliveryId.id.make(delivery!.id), delivery!.id)
    }),
  )
}

const emitted = (it: Tests): void => {
  const event = { event: "bulk_order.completed", data: Sample.bulk_order } as const

  it.effect("an event that no record brings about is kept and delivered as any other", () =>
    Effect.gen(function* () {
      const events = yield* Events
      const account_id = yield* Fixture.account
      const { id: endpoint_id } = yield* Fixture.endpoint(account_id, { events: [event.event] })
      yield* Fixture.endpoint(account_id, { events: ["asset.created"] })
      const id = yield* events.emit(account_id, event)
      const { data } = yield* events.list(account_id, Fixture.all)
      assert.deepStrictEqual(
        data.map((kept) => [kept.id, kept.event, kept.data]),
        [[id, event.event, { ...event.data }]],
      )
      const deliveries = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual(
        deliveries.map((delivery) => [delivery.event_id, delivery.endpoint_id, delivery.status]),
        [[id, endpoint_id, "pending"]],
      )
    }),
  )

  it.effect("events that are raised at once are all kept, each with its id", () =>
    Effect.gen(function* () {
      const events = yield* Events
      const account_id = yield* Fixture.account
      yield* Fixture.endpoint(account_id)
      const ids = yield* Fixture.atOnce(150, () => events.emit(account_id, event))
      const { meta } = yield* events.list(account_id, Fixture.all)
      assert.deepStrictEqual([new Set(ids).size, meta.total], [150, 150])
      const pages = yield* Effect.forEach([1, 2], (page) => events.list(account_id, { page, per_page: 100 }))
      assert.sameMembers(
        pages.flatMap(({ data }) => data.map(({ id }) => id)),
        ids,
      )
    }),
  )

  it.effect("an event that is too large is refused, and nothing is kept of it", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const items = [{ ...Sample.bulk_order.items[0]!, variant_options: { size: "x".repeat(Limits.RECORD_MAX_BYTES) } }]
      const data = { ...Sample.bulk_order, items }
      const refused = yield* Effect.flip((yield* Events).emit(account_id, { event: "bulk_order.created", data }))
      assert.strictEqual(refused._tag, "Invalid")
      assert.deepStrictEqual(yield* Fixture.told(account_id), [])
    }),
  )
}

export const tests = (it: Tests): void => {
  kept(it)
  Subjects.tests(it)
  delivered(it)
  emitted(it)
}

export const suite: Suite = suiteOf("Events", tests)
