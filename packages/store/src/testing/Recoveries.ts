/** Which events an endpoint missed, and how it gets them. */
import { assert } from "@effect/vitest"
import { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { Events } from "../Events.ts"
import { Recoveries } from "../Recoveries.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"
import * as Recovering from "./Recovering.ts"
import * as RecoveryBatches from "./RecoveryBatches.ts"

const asked = (it: Tests): void => {
  it.effect("a recovery is kept with what was asked for, and found by its endpoint", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(0)
      const since = "2026-11-01T00:00:00.000Z"
      const recovery = yield* Recovering.ask(endpoint, { since, events: ["asset.created"] })
      const { event_count, delivery_count, completed_at, events, status } = recovery
      assert.deepStrictEqual([status, event_count, delivery_count, completed_at], ["pending", 0, 0, null])
      assert.deepStrictEqual([recovery.since, events], [since, ["asset.created"]])
      const { get, list } = yield* Recoveries
      assert.deepStrictEqual(yield* get(account_id, endpoint.id, recovery.id), recovery)
      assert.deepStrictEqual((yield* list(account_id, endpoint.id, Fixture.all)).data, [recovery])
      yield* Recovering.work()
    }),
  )

  it.effect("recoveries are listed newest first, those of one endpoint", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(0)
      const other = yield* Fixture.endpoint(account_id)
      const { get, list } = yield* Recoveries
      const ids: Array<string> = []
      for (const one of [endpoint, endpoint, other]) {
        ids.push((yield* Recovering.ask(one)).id)
        yield* Recovering.work()
      }
      const { data, meta } = yield* list(account_id, endpoint.id, { page: 1, per_page: 1 })
      assert.deepStrictEqual([data.map(({ id }) => id), meta.total], [[ids[1]], 2])
      assert.strictEqual((yield* Effect.flip(get(account_id, other.id, data[0]!.id)))._tag, "NotFound")
    }),
  )

  it.effect("an endpoint that is not active cannot recover, and nobody's endpoint neither", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(0)
      const foreign = { ...endpoint, account_id: yield* Fixture.account }
      assert.strictEqual((yield* Effect.flip(Recovering.ask(foreign))).code, "not_found")
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      assert.strictEqual((yield* Effect.flip(Recovering.ask(endpoint))).code, "endpoint_not_active")
    }),
  )

  it.effect("of many recoveries asked for at once one is begun, and the next when it has ended", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(0)
      const answers = yield* Fixture.atOnce(5, () => Effect.result(Recovering.ask(endpoint)))
      const codes = answers.map((answer) => (answer._tag === "Failure" ? answer.failure.code : "begun"))
      assert.deepStrictEqual(codes.toSorted(), ["begun", ...Array.from({ length: 4 }, () => "recovery_in_progress")])
      yield* Recovering.ask(yield* Fixture.endpoint(account_id))
      yield* Recovering.work()
      yield* Recovering.ask(endpoint)
      yield* Recovering.work()
    }),
  )
}
const found = (it: Tests): void => {
  it.effect(
    "what happened while an endpoint was disabled is delivered to it, in that order, by ordinary deliveries",
    () =>
      Effect.gen(function* () {
        yield* Queue.clear
        const { account_id, endpoint } = yield* Recovering.missing(3)
        yield* Recovering.ask(endpoint)
        const recovery = (yield* Recovering.work()).at(-1)!
        const { completed_at, delivery_count, event_count, status } = recovery
        assert.deepStrictEqual([status, event_count, delivery_count], ["completed", 3, 3])
        assert.strictEqual(completed_at, recovery.updated_at)
        const ids = yield* Recovering.eventIds(account_id)
        assert.deepStrictEqual(yield* Recovering.delivered(account_id, "pending"), ids)
        const jobs = yield* Queue.claim()
        assert.deepStrictEqual(
          jobs.map(({ attempt, manual }) => [attempt, manual]),
          ids.map(() => [1, false]),
        )
        const byId = new Map((yield* Fixture.deliveries(account_id)).map(({ id, event_id }) => [id, event_id]))
        assert.deepStrictEqual(
          jobs.map(({ id }) => byId.get(id)),
          ids,
        )
      }),
  )

  it.effect("a delivery that succeeded or is open is not repeated, one that failed or was canceled is", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(4)
      const jobs = yield* Queue.claim({ limit: 3 })
      yield* Queue.settle([jobs[0]!], "succeeded")
      yield* Queue.settle([jobs[1]!], "exhausted")
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "active" })
      yield* Queue.raise(account_id, 1)
      yield* Recovering.ask(endpoint)
      assert.strictEqual((yield* Recovering.work()).at(-1)?.delivery_count, 2)
      const [, failed, , canceled, open] = yield* Recovering.eventIds(account_id)
      assert.deepStrictEqual(yield* Recovering.delivered(account_id, "pending"), [failed, canceled, open])
      yield* Recovering.ask(endpoint)
      assert.strictEqual((yield* Recovering.work()).at(-1)?.delivery_count, 0)
    }),
  )

  it.effect("only what happened in the window is delivered, its first and last moment included", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(4)
      const { data } = yield* (yield* Events).list(account_id, Fixture.all)
      const [, last, first] = data
      yield* Recovering.ask(endpoint, { since: first!.occurred_at, until: last!.occurred_at })
      assert.strictEqual((yield* Recovering.work()).at(-1)?.event_count, 2)
      assert.deepStrictEqual(yield* Recovering.delivered(account_id), [first!.id, last!.id])
    }),
  )

  it.effect("only what the endpoint subscribes to is delivered, or what else was asked for", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.endpoint(account_id, { status: "disabled", events: ["font.created"] })
      yield* Fixture.asset(account_id)
      yield* Fixture.asset(account_id, { asset_type: "font" })
      const endpoint = yield* Fixture.patchEndpoint(account_id, id, { status: "active" })
      yield* Fixture.later
      const [asset, font] = yield* Recovering.eventIds(account_id)
      yield* Recovering.ask(endpoint)
      yield* Recovering.work()
      assert.deepStrictEqual(yield* Recovering.delivered(account_id), [font])
      yield* Recovering.ask(endpoint, { events: ["*"] })
      yield* Recovering.work()
      assert.deepStrictEqual(yield* Recovering.delivered(account_id), [asset, font])
    }),
  )

  it.effect("an endpoint is told that another was disabled, never that it was itself", () =>
    Effect.gen(function* () {
      yield* Queue.clear
      const account_id = yield* Fixture.account
      const events = [WebhookEndpoint.DISABLED, "asset.created"]
      const endpoints = [
        yield* Fixture.endpoint(account_id, { events }),
        yield* Fixture.endpoint(account_id, { events }),
      ]
      yield* Queue.raise(account_id, 5)
      yield* Queue.settle(yield* Queue.claim(), "exhausted")
      yield* Effect.forEach(endpoints, ({ id }) => Fixture.patchEndpoint(account_id, id, { status: "active" }))
      yield* Fixture.later
      const told: Array<ReadonlyArray<string>> = []
      for (const endpoint of endpoints) {
        yield* Recovering.ask(endpoint, { events: [WebhookEndpoint.DISABLED] })
        yield* Recovering.work()
        const its = yield* Fixture.deliveries(account_id, { endpoint_id: endpoint.id, status: "pending" })
        told.push(its.map(({ event_id }) => event_id))
      }
      const { data } = yield* (yield* Events).list(account_id, { ...Fixture.all, event: WebhookEndpoint.DISABLED })
      const about = new Map<string, unknown>(data.map((event) => [event.id, event.data["id"]]))
      assert.deepStrictEqual(
        told.map((ids) => ids.map((id) => about.get(id))),
        [[endpoints[1]!.id], [endpoints[0]!.id]],
      )
    }),
  )
}

export const tests = (it: Tests): void => {
  asked(it)
  found(it)
  RecoveryBatches.tests(it)
}

export const suite: Suite = suiteOf("Recoveries", tests)
