/** Which events an endpoint missed, and how it gets them: each once, a few at a time, whoever works on it. */
import { assert } from "@effect/vitest"
import { type Id, WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { Events } from "../Events.ts"
import { Recoveries } from "../Recoveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"
import * as Recovering from "./Recovering.ts"

/** The ids of an account's events, oldest first. */
const eventIds = (account_id: Id.AccountId) =>
  Effect.gen(function* () {
    const { data } = yield* (yield* Events).list(account_id, Fixture.all)
    return data.map(({ id }) => id).toReversed()
  })

/** The events of an account's deliveries, oldest first, by status where one is given. */
const delivered = (account_id: Id.AccountId, status?: "pending" | "canceled") =>
  Effect.map(Fixture.deliveries(account_id, status === undefined ? {} : { status }), (all) =>
    all.map(({ event_id }) => event_id),
  )

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
        const ids = yield* eventIds(account_id)
        assert.deepStrictEqual(yield* delivered(account_id, "pending"), ids)
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
      const [, failed, , canceled, open] = yield* eventIds(account_id)
      assert.deepStrictEqual(yield* delivered(account_id, "pending"), [failed, canceled, open])
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
      assert.deepStrictEqual(yield* delivered(account_id), [first!.id, last!.id])
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
      const [asset, font] = yield* eventIds(account_id)
      yield* Recovering.ask(endpoint)
      yield* Recovering.work()
      assert.deepStrictEqual(yield* delivered(account_id), [font])
      yield* Recovering.ask(endpoint, { events: ["*"] })
      yield* Recovering.work()
      assert.deepStrictEqual(yield* delivered(account_id), [asset, font])
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

const bounded = (it: Tests): void => {
  it.effect("a batch looks at no more events than it is asked for, and the record says how far it came", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(5)
      yield* Recovering.ask(endpoint)
      const steps = yield* Recovering.work({ limit: 2 })
      assert.deepStrictEqual(
        steps.map(({ event_count, status }) => [event_count, status]),
        [
          [2, "running"],
          [4, "running"],
          [5, "completed"],
        ],
      )
      assert.deepStrictEqual(yield* delivered(account_id), yield* eventIds(account_id))
    }),
  )

  it.effect("no more deliveries of an endpoint are open than may be; the rest come when these have ended", () =>
    Effect.gen(function* () {
      yield* Queue.clear
      const { account_id, endpoint } = yield* Recovering.missing(5)
      yield* Recovering.ask(endpoint)
      const full = { max_open: 2, rest_ms: 20 }
      const counts: Array<number | undefined> = []
      for (let round = 0; round < 4; round++) {
        yield* Effect.sleep("30 millis")
        counts.push((yield* Recovering.work(full)).at(-1)?.delivery_count)
        if (round > 0) yield* Queue.settle(yield* Queue.claim(), "succeeded")
      }
      assert.deepStrictEqual(counts, [2, 2, 4, 5])
      assert.deepStrictEqual(yield* delivered(account_id), yield* eventIds(account_id))
    }),
  )

  it.effect("an event that may still be being committed is left alone for a while", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(1)
      yield* Recovering.ask(endpoint)
      const young = yield* Recovering.work({ settle_ms: 60_000, rest_ms: 20 })
      assert.deepStrictEqual(
        young.map(({ event_count, status }) => [event_count, status]),
        [[0, "running"]],
      )
      yield* Effect.sleep("30 millis")
      assert.strictEqual((yield* Recovering.work()).at(-1)?.status, "completed")
      assert.strictEqual((yield* delivered(account_id)).length, 1)
    }),
  )
}

const shared = (it: Tests): void => {
  it.effect("workers at once create every delivery once", () =>
    Effect.gen(function* () {
      const all = yield* Fixture.atOnce(3, () => Recovering.missing(10))
      yield* Effect.forEach(all, ({ endpoint }) => Recovering.ask(endpoint))
      yield* Fixture.atOnce(5, () => Recovering.work({ limit: 3 }))
      for (const { account_id } of all) {
        assert.deepStrictEqual(yield* delivered(account_id), yield* eventIds(account_id))
      }
    }),
  )

  it.effect(
    "a worker that dies is taken over when its lease runs out, and what it does after that counts for nothing",
    () =>
      Effect.gen(function* () {
        const { account_id, endpoint } = yield* Recovering.missing(2)
        const { id } = yield* Recovering.ask(endpoint)
        const { advance, claim, get } = yield* Recoveries
        const dead = yield* claim(30)
        assert.strictEqual((yield* get(account_id, endpoint.id, id)).status, "running")
        assert.isNull(yield* claim(30))
        yield* Effect.sleep("40 millis")
        const heir = yield* claim(60_000)
        assert.isNull(yield* advance(dead!, Recovering.anything))
        assert.deepStrictEqual(yield* delivered(account_id), [])
        assert.strictEqual((yield* advance(heir!, Recovering.anything))?.status, "completed")
        assert.isNull(yield* advance(heir!, Recovering.anything))
        assert.strictEqual((yield* delivered(account_id)).length, 2)
      }),
  )

  for (const [what, end] of [
    [
      "is disabled",
      (one: WebhookEndpoint.WebhookEndpoint) => Fixture.patchEndpoint(one.account_id, one.id, { status: "disabled" }),
    ],
    [
      "is deleted",
      (one: WebhookEndpoint.WebhookEndpoint) =>
        Effect.flatMap(WebhookEndpoints, (all) => all.delete(one.account_id, one.id)),
    ],
  ] as const) {
    it.effect(`a recovery is canceled with its deliveries when its endpoint ${what}, whoever works on it`, () =>
      Effect.gen(function* () {
        const { account_id, endpoint } = yield* Recovering.missing(3)
        const { id } = yield* Recovering.ask(endpoint)
        const { advance, claim, get } = yield* Recoveries
        yield* advance((yield* claim(60_000))!, { ...Recovering.anything, limit: 2 })
        const held = yield* claim(60_000)
        yield* end(endpoint)
        const { completed_at, delivery_count, status } = yield* get(account_id, endpoint.id, id)
        assert.deepStrictEqual([status, delivery_count], ["canceled", 2])
        assert.isNotNull(completed_at)
        assert.isNull(yield* advance(held!, Recovering.anything))
        assert.deepStrictEqual(yield* Recovering.work(), [])
        assert.strictEqual((yield* delivered(account_id, "canceled")).length, 2)
      }),
    )
  }

  it.effect("a recovery is canceled when its endpoint is disabled by its failures", () =>
    Effect.gen(function* () {
      yield* Queue.clear
      const { account_id, endpoint } = yield* Recovering.missing(6)
      const { id } = yield* Recovering.ask(endpoint)
      const { advance, claim, get } = yield* Recoveries
      yield* advance((yield* claim(60_000))!, { ...Recovering.anything, limit: 5 })
      yield* Queue.settle(yield* Queue.claim(), "exhausted")
      assert.strictEqual((yield* get(account_id, endpoint.id, id)).status, "canceled")
      assert.deepStrictEqual(yield* Recovering.work(), [])
    }),
  )
}

export const tests = (it: Tests): void => {
  asked(it)
  found(it)
  bounded(it)
  shared(it)
}

export const suite: Suite = suiteOf("Recoveries", tests)
