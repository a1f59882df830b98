/** How a recovery goes on: a few events at a time, each once, whoever works on it. */
import { assert } from "@effect/vitest"
import { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { Recoveries } from "../Recoveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import type { Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"
import * as Recovering from "./Recovering.ts"
import { still } from "./Still.ts"

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
      assert.deepStrictEqual(yield* Recovering.delivered(account_id), yield* Recovering.eventIds(account_id))
    }),
  )

  it.effect("no more deliveries of an endpoint are open than may be; the rest come when these have ended", () =>
    Effect.gen(function* () {
      yield* Queue.clear
      const { account_id, endpoint } = yield* Recovering.missing(5)
      yield* Recovering.ask(endpoint)
      const full = { max_open: 2, rest_ms: 20 }
      const round = Effect.gen(function* () {
        yield* Effect.sleep("30 millis")
        return (yield* Recovering.work(full)).at(-1)?.delivery_count
      })
      const settled = Effect.flatMap(Queue.claim(), (jobs) => Queue.settle(jobs, "succeeded"))
      const [first, ...others] = yield* still(
        Effect.all([round, ...Array.from({ length: 3 }, () => Effect.tap(round, settled))]),
      )
      assert.deepStrictEqual([first, ...others], [2, 2, 4, 5])
      assert.deepStrictEqual(yield* Recovering.delivered(account_id), yield* Recovering.eventIds(account_id))
    }),
  )

  it.effect("an event that may still be being committed is left alone for a while", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(1)
      yield* Recovering.ask(endpoint)
      const young = yield* Recovering.step({ settle_ms: 60_000, rest_ms: 20 })
      assert.deepStrictEqual([young?.event_count, young?.status], [0, "running"])
      yield* Effect.sleep("30 millis")
      assert.strictEqual((yield* Recovering.work()).at(-1)?.status, "completed")
      assert.strictEqual((yield* Recovering.delivered(account_id)).length, 1)
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
        assert.deepStrictEqual(yield* Recovering.delivered(account_id), yield* Recovering.eventIds(account_id))
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
        const { dead, heir } = yield* still(
          Effect.gen(function* () {
            const dead = yield* claim(30)
            assert.strictEqual((yield* get(account_id, endpoint.id, id)).status, "running")
            assert.isNull(yield* claim(30))
            yield* Effect.sleep("40 millis")
            return { dead, heir: yield* claim(60_000) }
          }),
        )
        assert.isNull(yield* advance(dead!, Recovering.anything))
        assert.deepStrictEqual(yield* Recovering.delivered(account_id), [])
        assert.strictEqual((yield* advance(heir!, Recovering.anything))?.status, "completed")
        assert.isNull(yield* advance(heir!, Recovering.anything))
        assert.strictEqual((yield* Recovering.delivered(account_id)).length, 2)
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
        assert.strictEqual((yield* Recovering.delivered(account_id, "canceled")).length, 2)
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
  bounded(it)
  shared(it)
}
