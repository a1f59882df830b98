/** What people see of deliveries, and what they can do: list, look, retry. */
import { assert } from "@effect/vitest"
import { type Delivery, Id, Value } from "@tc/domain"
import { Clock, Effect } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

/** When its event happened, in milliseconds since 1970. */
const happened = ({ id }: Delivery.Delivery) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const lists = (it: Tests): void => {
  it.effect("deliveries are listed newest first, in pages, with exact totals", () =>
    Effect.gen(function* () {
      const { account_id, deliveries } = yield* Queue.waiting(3)
      const page = (page: number) =>
        Effect.flatMap(Deliveries, (all) =>
          Effect.map(all.list(account_id, { page, per_page: 2 }), ({ data, meta }) => [meta.total, ...data]),
        )
      const [a, b, c] = deliveries
      assert.deepStrictEqual(yield* page(1), [3, c!, b!])
      assert.deepStrictEqual(yield* page(2), [3, a!])
    }),
  )

  it.effect("the deliveries of one change are listed in the order of its events", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      yield* Fixture.endpoint(account_id)
      yield* Fixture.atOnce(10, () => Fixture.design(account_id, product_id, { status: "finalized" }))
      const told = (yield* Fixture.told(account_id)).filter((event) => event.startsWith("design."))
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id)).map(({ event }) => event),
        told,
      )
    }),
  )

  it.effect("deliveries are listed by endpoint, status and event", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const other = yield* Fixture.endpoint(account_id)
      yield* Queue.settle(yield* Queue.claim(), "succeeded")
      yield* Fixture.store(account_id)
      const count = (filter: Parameters<typeof Fixture.deliveries>[1]) =>
        Effect.map(Fixture.deliveries(account_id, filter), ({ length }) => length)
      assert.strictEqual(yield* count({}), 3)
      assert.strictEqual(yield* count({ endpoint_id: endpoint.id }), 2)
      assert.strictEqual(yield* count({ endpoint_id: other.id }), 1)
      assert.strictEqual(yield* count({ status: "pending" }), 2)
      assert.strictEqual(yield* count({ status: "succeeded" }), 1)
      assert.strictEqual(yield* count({ event: "store.created" }), 2)
      assert.strictEqual(yield* count({ event: "store.created", endpoint_id: other.id, status: "succeeded" }), 0)
    }),
  )

  it.effect("deliveries are listed by when their events happened, both ends included", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      yield* Fixture.later
      yield* Fixture.store(account_id)
      const [first, second] = yield* Fixture.deliveries(account_id)
      const [at, later] = [happened(first!), happened(second!)] as const
      const listed = (filter: Parameters<typeof Fixture.deliveries>[1]) =>
        Effect.map(Fixture.deliveries(account_id, filter), (found) => found.map(({ id }) => id))
      assert.deepStrictEqual(yield* listed({ since: Value.timestamp(at), until: Value.timestamp(later) }), [
        first!.id,
        second!.id,
      ])
      assert.deepStrictEqual(yield* listed({ since: Value.timestamp(at + 1) }), [second!.id])
      assert.deepStrictEqual(yield* listed({ until: Value.timestamp(later - 1) }), [first!.id])
      assert.deepStrictEqual(yield* listed({ since: Value.timestamp(later + 1), endpoint_id: endpoint.id }), [])
      assert.deepStrictEqual(yield* listed({ until: Value.timestamp(at - 1) }), [])
      assert.deepStrictEqual(yield* listed({ since: Value.timestamp(later), until: Value.timestamp(at) }), [])
    }),
  )

  it.effect("a single delivery is shown with its attempts, none at first", () =>
    Effect.gen(function* () {
      const { account_id, deliveries } = yield* Queue.waiting(1)
      const shown = yield* (yield* Deliveries).get(account_id, deliveries[0]!.id)
      assert.deepStrictEqual(shown, { ...deliveries[0]!, attempts: [] })
    }),
  )

  it.effect("a delivery that is not there is NotFound", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const account_id = yield* Fixture.account
      const id = Id.DeliveryId.id.make(crypto.randomUUID())
      assert.strictEqual((yield* Effect.flip(deliveries.get(account_id, id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(deliveries.retry(account_id, id)))._tag, "NotFound")
    }),
  )
}

const retries = (it: Tests): void => {
  for (const outcome of ["succeeded", "failed", "exhausted"] as const) {
    it.effect(`a delivery that ended as ${outcome} can be made due again, for its next attempt`, () =>
      Effect.gen(function* () {
        const { account_id } = yield* Queue.waiting(1)
        const [job] = yield* Queue.claim()
        yield* Queue.settle([job!], outcome)
        const before = yield* Clock.currentTimeMillis
        const answer = yield* (yield* Deliveries).retry(account_id, job!.id)
        assert.deepStrictEqual([answer.status, answer.attempt_count], ["pending", 1])
        assert.isAtLeast(Date.parse(answer.due_at ?? ""), before)
        assert.deepStrictEqual(yield* Fixture.deliveries(account_id), [answer])
        assert.deepStrictEqual(
          (yield* Queue.claim()).map(({ id, attempt, manual }) => [id, attempt, manual]),
          [[job!.id, 2, true]],
        )
      }),
    )
  }

  it.effect("a delivery that was canceled can be made due again once its endpoint is active again", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, deliveries } = yield* Queue.waiting(1)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "active" })
      const { status } = yield* (yield* Deliveries).retry(account_id, deliveries[0]!.id)
      assert.strictEqual(status, "pending")
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim()), Queue.ids(deliveries))
    }),
  )

  it.effect("a delivery that waits is brought forward", () =>
    Effect.gen(function* () {
      const { account_id, deliveries } = yield* Queue.waiting(1)
      yield* Queue.settle(yield* Queue.claim(), { retry_at: yield* Queue.at(3_600_000) })
      yield* (yield* Deliveries).retry(account_id, deliveries[0]!.id)
      assert.deepStrictEqual(
        (yield* Queue.claim()).map(({ id, manual }) => [id, manual]),
        [[deliveries[0]!.id, false]],
      )
    }),
  )

  it.effect("a delivery that a person retries stays one until it ends", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const { account_id } = yield* Queue.waiting(1)
      const [job] = yield* Queue.claim()
      yield* Queue.settle([job!], "succeeded")
      yield* deliveries.retry(account_id, job!.id)
      yield* deliveries.retry(account_id, job!.id)
      yield* deliveries.release(yield* Queue.claim())
      assert.deepStrictEqual(
        (yield* Queue.claim()).map(({ manual }) => manual),
        [true],
      )
    }),
  )
}

const refused = (it: Tests): void => {
  it.effect("a delivery that a worker holds is in progress, and stays with it", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(1)
      const [job] = yield* Queue.claim()
      const error = yield* Effect.flip((yield* Deliveries).retry(account_id, job!.id))
      assert.strictEqual(error.code, "delivery_in_progress")
      assert.deepStrictEqual(yield* Queue.settle([job!], "succeeded"), [true])
    }),
  )

  it.effect("a delivery to an endpoint that is disabled, or gone, is not made due", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const [job] = yield* Queue.claim()
      yield* Queue.settle([job!], "succeeded")
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      assert.strictEqual((yield* Effect.flip(deliveries.retry(account_id, job!.id))).code, "endpoint_not_active")
      yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
      assert.strictEqual((yield* Effect.flip(deliveries.retry(account_id, job!.id))).code, "endpoint_not_active")
      assert.strictEqual((yield* deliveries.get(account_id, job!.id)).status, "succeeded")
    }),
  )
}

const statistics = (it: Tests): void => {
  it.effect("the deliveries that are due and wait are counted, and the oldest of them is known", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      yield* Queue.clear
      assert.deepStrictEqual(yield* deliveries.stats, { due: 0, overdue: 0, oldest_due_at: null })
      const { deliveries: waiting } = yield* Queue.waiting(3)
      const oldest = Date.parse(waiting[0]!.due_at ?? "")
      assert.deepStrictEqual(yield* deliveries.stats, { due: 3, overdue: 0, oldest_due_at: oldest })
      const [job] = yield* Queue.claim({ limit: 1 })
      yield* Queue.settle([job!], { retry_at: yield* Queue.at(3_600_000) })
      assert.strictEqual((yield* deliveries.stats).due, 2)
    }),
  )

  it.effect("those that fell due more than ten seconds ago are overdue", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      yield* Queue.waiting(3)
      const [first, second] = yield* Queue.claim({ limit: 2 })
      yield* Queue.settle([first!], { retry_at: yield* Queue.at(-11_000) })
      yield* Queue.settle([second!], { retry_at: yield* Queue.at(-8_000) })
      const { due, overdue } = yield* deliveries.stats
      assert.deepStrictEqual([due, overdue], [3, 1])
    }),
  )
}

export const tests = (it: Tests): void => {
  lists(it)
  retries(it)
  refused(it)
  statistics(it)
}

export const suite: Suite = suiteOf("Deliveries", tests)
