/** What is removed for being old, and what never is. */
import { assert } from "@effect/vitest"
import type { Id } from "@tc/domain"
import { Clock, Effect } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { Recoveries } from "../Recoveries.ts"
import { type Pruned, type PruneRequest, Retention } from "../Retention.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as FormerSettings from "./FormerSettings.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"
import * as Recovering from "./Recovering.ts"

const MIB = 1024 * 1024

/** A whole run: what each batch removed. Every account loses what is as old, so that these tests share no storage with others. */
const prune = (before: number, request: Partial<PruneRequest> = {}) =>
  Effect.gen(function* () {
    const retention = yield* Retention
    const removed: Array<number> = []
    for (let from: PruneRequest["from"] = null; ;) {
      const batch: Pruned = yield* retention.prune({ limit: 1_000, max_bytes: MIB, ...request, before, from })
      removed.push(batch.removed)
      from = batch.next
      if (from === null) return removed
    }
  })

/** A time after all that has happened, and before all that will. */
const now = Effect.andThen(Fixture.later, Effect.tap(Clock.currentTimeMillis, Fixture.later))

/** How an account's deliveries stand, oldest first, and how many events it has. */
const left = (account_id: Id.AccountId) =>
  Effect.gen(function* () {
    const statuses = (yield* Fixture.deliveries(account_id)).map(({ status }) => status)
    return { statuses, events: (yield* Fixture.told(account_id)).length }
  })

const removed = (it: Tests): void => {
  it.effect("deliveries that ended are removed with their events; what happened later stays", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(3)
      const [a, b, c] = yield* Queue.claim()
      yield* Queue.settle([a!], "succeeded")
      yield* Queue.settle([b!], "exhausted")
      yield* Queue.settle([c!], "failed")
      const before = yield* now
      yield* Queue.raise(account_id, 1)
      const [late] = yield* Queue.claim()
      yield* Queue.settle([late!], "succeeded")
      yield* prune(before)
      assert.deepStrictEqual(yield* left(account_id), { statuses: ["succeeded"], events: 1 })
      const { attempts } = yield* (yield* Deliveries).get(account_id, late!.id)
      assert.strictEqual(attempts.length, 1)
      assert.strictEqual((yield* Effect.flip((yield* Deliveries).get(account_id, a!.id)))._tag, "NotFound")
    }),
  )

  it.effect("events that nobody was told of are removed, those of every account", () =>
    Effect.gen(function* () {
      const accounts = [yield* Fixture.account, yield* Fixture.account]
      for (const account_id of accounts) yield* Fixture.asset(account_id)
      yield* prune(yield* now)
      for (const account_id of accounts) assert.deepStrictEqual(yield* left(account_id), { statuses: [], events: 0 })
    }),
  )

  it.effect("a recovery that has ended is removed, one that has not stays", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Recovering.missing(0)
      yield* Recovering.ask(endpoint)
      yield* Recovering.work()
      const { id } = yield* Recovering.ask(endpoint)
      const list = Effect.flatMap(Recoveries, ({ list }) => list(account_id, endpoint.id, Fixture.all))
      assert.strictEqual((yield* list).meta.total, 2)
      yield* prune(yield* now)
      assert.deepStrictEqual(
        (yield* list).data.map((recovery) => recovery.id),
        [id],
      )
      yield* Recovering.work()
    }),
  )

  it.effect("what an endpoint was is removed once attempts that were sent with it are, and no sooner", () =>
    Effect.gen(function* () {
      const { endpoint, job } = yield* FormerSettings.begin
      yield* Fixture.later
      const before = yield* now
      yield* FormerSettings.moved(endpoint)
      const after = yield* now
      yield* FormerSettings.attempted(job, { retry_at: yield* Queue.at(-1) })
      const { url, secret } = endpoint
      yield* prune(before, { limit: 1 })
      assert.deepStrictEqual(yield* FormerSettings.sentWith(job), [{ url, secret }])
      yield* prune(after, { limit: 1 })
      assert.deepStrictEqual(yield* FormerSettings.sentWith(job), [null])
      yield* Queue.settle(yield* Queue.claim(), "succeeded")
    }),
  )

  it.effect("canceled deliveries are removed", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(2)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      yield* prune(yield* now)
      assert.deepStrictEqual(yield* left(account_id), { statuses: [], events: 0 })
    }),
  )

  for (const [what, bound] of [
    ["rows than it is asked for", { limit: 2 }],
    ["bytes of payload, beyond the first event", { max_bytes: 25_000 }],
  ] as const) {
    it.effect(`a batch removes no more ${what}, and the next goes on`, () =>
      Effect.gen(function* () {
        const before = yield* now
        yield* prune(before)
        const account_id = yield* Fixture.account
        yield* Effect.replicateEffect(Fixture.asset(account_id, { metadata: { text: "x".repeat(10_000) } }), 5)
        const batches = yield* prune(yield* now, bound)
        assert.deepStrictEqual(
          batches.filter((removed) => removed > 0),
          [2, 2, 1],
        )
      }),
    )
  }
}

const kept = (it: Tests): void => {
  it.effect("a delivery that waits stays with its event, however old, and is made", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(1)
      yield* prune(yield* now)
      assert.deepStrictEqual(yield* left(account_id), { statuses: ["pending"], events: 1 })
      const [job] = yield* Queue.claim()
      assert.include(job?.tail, "asset.created")
    }),
  )

  it.effect("a delivery that a worker holds stays with its event, and is settled", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(1)
      const jobs = yield* Queue.claim()
      yield* prune(yield* now)
      assert.deepStrictEqual(yield* Queue.settle(jobs, "succeeded"), [true])
      assert.deepStrictEqual(yield* left(account_id), { statuses: ["succeeded"], events: 1 })
    }),
  )

  it.effect("an event stays for the one of its deliveries that has not ended", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(0)
      yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 1)
      const jobs = yield* Queue.claim()
      const [mine, other] = [0, 1].map((nth) =>
        jobs.filter(({ endpoint_id }) => (endpoint_id === endpoint.id) === (nth === 0)),
      )
      yield* Queue.settle(mine!, "succeeded")
      const before = yield* now
      yield* prune(before)
      assert.deepStrictEqual(yield* left(account_id), { statuses: ["delivering"], events: 1 })
      yield* Queue.settle(other!, "succeeded")
      yield* prune(before)
      assert.deepStrictEqual(yield* left(account_id), { statuses: [], events: 0 })
    }),
  )

  it.effect("what stays does not keep a run from what comes after it", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(3)
      const [job] = (yield* Queue.claim()).toSorted((left, right) => (left.id < right.id ? 1 : -1))
      yield* Queue.settle([job!], "succeeded")
      yield* prune(yield* now, { limit: 1 })
      assert.deepStrictEqual(yield* left(account_id), { statuses: ["delivering", "delivering"], events: 2 })
    }),
  )
}

export const tests = (it: Tests): void => {
  removed(it)
  kept(it)
}

export const suite: Suite = suiteOf("Retention", tests)
