/** Endpoints that take deliveries in order, or at a rate. */
import { assert } from "@effect/vitest"
import type { Delivery, Errors, Id, WebhookEndpoint } from "@tc/domain"
import { Clock, Effect } from "effect"
import type { Accounts } from "../Accounts.ts"
import { Deliveries } from "../Deliveries.ts"
import { type Assets, WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"
import { still } from "./Still.ts"

interface Gated {
  readonly account_id: Id.AccountId
  readonly endpoint: WebhookEndpoint.WebhookEndpoint
  /** Oldest first. */
  readonly deliveries: ReadonlyArray<Delivery.Delivery>
  readonly patch: (
    change: WebhookEndpoint.Patch,
  ) => Effect.Effect<unknown, Errors.NotFound | Errors.Conflict | Errors.Invalid, WebhookEndpoints>
}

/** An endpoint with such gates and so many deliveries due to it; what it has not got at the end nobody is to get. */
const gated = <E>(
  fields: object,
  times: number,
  test: (gated: Gated) => Effect.Effect<void, E, Accounts | Assets | Deliveries | WebhookEndpoints>,
) =>
  Effect.gen(function* () {
    yield* Queue.clear
    const account_id = yield* Fixture.account
    const endpoint = yield* Fixture.endpoint(account_id, fields)
    yield* Queue.raise(account_id, times)
    const patch: Gated["patch"] = (change) => Fixture.patchEndpoint(account_id, endpoint.id, change)
    const deliveries = yield* Fixture.deliveries(account_id)
    yield* Effect.ensuring(
      test({ account_id, endpoint, deliveries, patch }),
      Effect.ignore(patch({ status: "disabled" })),
    )
  })

const idsOf = (rows: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string | undefined> =>
  rows.map(({ id }) => id)

/** All of them, each when it has its turn. */
const drain = Effect.gen(function* () {
  const gone: Array<string | undefined> = []
  for (let jobs = yield* Queue.claim(); jobs.length > 0; jobs = yield* Queue.claim()) {
    assert.lengthOf(jobs, 1)
    gone.push(...idsOf(jobs))
    yield* Queue.settle(jobs, "succeeded")
  }
  return gone
})

const order = (it: Tests): void => {
  it.effect("in order, a delivery goes when the one before it has ended, however that ended", () =>
    gated({ ordered: true }, 4, ({ deliveries }) =>
      Effect.gen(function* () {
        const [first] = yield* Queue.claim()
        assert.deepStrictEqual([first?.id, yield* Queue.claim()], [deliveries[0]?.id, []])
        yield* Queue.settle([first!], "succeeded")
        const [second] = yield* Queue.claim()
        yield* Queue.settle([second!], "exhausted")
        const [third] = yield* Queue.claim()
        assert.deepStrictEqual([second?.id, third?.id], [deliveries[1]?.id, deliveries[2]?.id])
        yield* Queue.settle([third!], "failed")
        assert.deepStrictEqual(idsOf(yield* Queue.claim()), [deliveries[3]?.id])
      }),
    ),
  )

  it.effect("in order, one that waits for its retry keeps all others waiting, and goes first", () =>
    gated({ ordered: true }, 3, ({ deliveries }) =>
      still(
        Effect.gen(function* () {
          const retry_at = yield* Queue.at(200)
          yield* Queue.settle(yield* Queue.claim(), { retry_at })
          const { jobs, next_due_at } = yield* (yield* Deliveries).claim(Queue.anything)
          assert.deepStrictEqual([jobs, next_due_at], [[], Date.parse(retry_at)])
          yield* Effect.sleep("210 millis")
          const [again] = yield* Queue.claim()
          assert.deepStrictEqual([again?.id, again?.attempt], [deliveries[0]?.id, 2])
          yield* Queue.settle([again!], "succeeded")
          assert.deepStrictEqual(yield* drain, idsOf(deliveries.slice(1)))
        }),
      ),
    ),
  )

  it.effect("in order, what is given back or lost by its worker is the next to go", () =>
    gated({ ordered: true }, 2, ({ deliveries }) =>
      Effect.gen(function* () {
        yield* (yield* Deliveries).release(yield* Queue.claim())
        assert.deepStrictEqual(idsOf(yield* Queue.claimBriefly), [deliveries[0]?.id])
        assert.deepStrictEqual(yield* drain, idsOf(deliveries))
      }),
    ),
  )

  it.effect("in order, claims at once get one delivery together", () =>
    gated({ ordered: true }, 5, ({ deliveries }) =>
      Effect.gen(function* () {
        for (const delivery of deliveries) {
          const jobs = (yield* Fixture.atOnce(6, () => Queue.claim())).flat()
          const rest = jobs.length === 0 ? yield* Queue.claim() : jobs
          assert.deepStrictEqual(idsOf(rest), [delivery.id])
          yield* Queue.settle(rest, "succeeded")
        }
      }),
    ),
  )

  it.effect("an order holds for its own endpoint only", () =>
    gated({ ordered: true }, 0, ({ account_id, endpoint }) =>
      Effect.gen(function* () {
        const other = yield* Fixture.endpoint(account_id)
        yield* Queue.raise(account_id, 3)
        const counts = Map.groupBy(yield* Queue.claim(), ({ endpoint_id }) => endpoint_id)
        assert.deepStrictEqual([counts.get(endpoint.id)?.length, counts.get(other.id)?.length], [1, 3])
      }),
    ),
  )

  it.effect("a delivery that had ended goes, when a person retries it, before those that wait in order", () =>
    gated({ ordered: true }, 3, ({ account_id, deliveries }) =>
      Effect.gen(function* () {
        const { retry } = yield* Deliveries
        yield* Queue.settle(yield* Queue.claim(), "exhausted")
        const second = yield* Queue.claim()
        yield* retry(account_id, deliveries[0]!.id)
        assert.deepStrictEqual(yield* Queue.claim(), [])
        yield* Queue.settle(second, "succeeded")
        assert.deepStrictEqual(yield* drain, [deliveries[0]?.id, deliveries[2]?.id])
      }),
    ),
  )

  it.effect("deliveries that are there already are put in order when their endpoint is, after those under way", () =>
    gated({}, 5, ({ deliveries, patch }) =>
      Effect.gen(function* () {
        const under_way = yield* Queue.claim({ limit: 2 })
        yield* patch({ ordered: true })
        assert.deepStrictEqual(yield* Queue.claim(), [])
        yield* Queue.settle(under_way.slice(1), "succeeded")
        assert.deepStrictEqual(yield* Queue.claim(), [])
        yield* Queue.settle(under_way.slice(0, 1), "succeeded")
        assert.deepStrictEqual(yield* drain, idsOf(deliveries.slice(2)))
      }),
    ),
  )

  it.effect("deliveries are free again when their endpoint is", () =>
    gated({ ordered: true, max_per_second: 1 }, 4, ({ deliveries, patch }) =>
      Effect.gen(function* () {
        yield* Queue.claim()
        yield* patch({ ordered: false, max_per_second: null })
        assert.deepStrictEqual(Queue.ids(yield* Queue.claim()), Queue.ids(deliveries.slice(1)))
      }),
    ),
  )

  it.effect("what stood in the order of an endpoint is free when there is another of its id, which has none", () =>
    gated({ ordered: true }, 1, ({ account_id, endpoint, deliveries }) =>
      Effect.gen(function* () {
        yield* Queue.claimBriefly
        yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
        yield* Fixture.endpoint(account_id, { id: endpoint.id })
        assert.deepStrictEqual(idsOf(yield* Queue.claim()), idsOf(deliveries))
      }),
    ),
  )
}

const rate = (it: Tests): void => {
  it.effect("at a rate, a tenth of a second's deliveries go at once, for a worker that begins with them now", () =>
    gated({ max_per_second: 20 }, 5, ({ deliveries }) =>
      Effect.gen(function* () {
        const jobs = yield* Queue.claim()
        assert.deepStrictEqual(idsOf(jobs), idsOf(deliveries.slice(0, 2)))
        assert.isTrue(jobs.every(({ paced }) => paced))
      }),
    ),
  )

  it.effect("at a rate, a claim that gets nothing says when the next may go", () =>
    gated({ max_per_second: 1 }, 2, () =>
      still(
        Effect.gen(function* () {
          const began = yield* Clock.currentTimeMillis
          yield* Queue.claim()
          const { jobs, next_due_at } = yield* (yield* Deliveries).claim(Queue.anything)
          assert.deepStrictEqual(jobs, [])
          assert.isAtLeast(next_due_at ?? 0, began + 1_000)
          assert.isAtMost(next_due_at ?? Infinity, (yield* Clock.currentTimeMillis) + 1_000)
        }),
      ),
    ),
  )

  it.effect("at a rate, claims at once get no more than one alone, and retries count as well", () =>
    gated({ max_per_second: 1 }, 5, ({ deliveries }) =>
      still(
        Effect.gen(function* () {
          const jobs = (yield* Fixture.atOnce(6, () => Queue.claim())).flat()
          const first = jobs.length === 0 ? yield* Queue.claim() : jobs
          assert.deepStrictEqual(idsOf(first), [deliveries[0]?.id])
          yield* Queue.settle(first, { retry_at: yield* Queue.at(0) })
          assert.deepStrictEqual(yield* Queue.claim(), [])
        }),
      ),
    ),
  )

  it.effect("at a rate, a backlog goes no faster than what comes in", () =>
    gated({}, 4, ({ patch }) =>
      still(
        Effect.gen(function* () {
          yield* patch({ max_per_second: 1 })
          assert.lengthOf(yield* Queue.claim(), 1)
          assert.deepStrictEqual(yield* Queue.claim(), [])
        }),
      ),
    ),
  )

  it.effect("at a rate, what is saved up in silence is no more than a tenth of a second's", () =>
    gated({ max_per_second: 100 }, 0, ({ account_id }) =>
      Effect.gen(function* () {
        yield* Queue.raise(account_id, 1)
        yield* Queue.claim()
        yield* Effect.sleep("300 millis")
        yield* Fixture.atOnce(20, () => Fixture.asset(account_id))
        assert.lengthOf(yield* Queue.claim(), 10)
      }),
    ),
  )

  it.effect("what waits its turn is canceled when its endpoint is disabled", () =>
    gated({ ordered: true, max_per_second: 1 }, 3, ({ account_id, patch }) =>
      Effect.gen(function* () {
        yield* Queue.settle(yield* Queue.claim(), "succeeded")
        yield* patch({ status: "disabled" })
        const left = (yield* Fixture.deliveries(account_id)).map(({ status }) => status)
        assert.deepStrictEqual(left, ["succeeded", "canceled", "canceled"])
      }),
    ),
  )
}

export const tests = (it: Tests): void => {
  order(it)
  rate(it)
}

export const suite: Suite = suiteOf("Gates", tests)
