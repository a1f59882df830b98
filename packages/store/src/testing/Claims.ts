/** Which deliveries a claim gets: what is due, the oldest first, and of each kind and endpoint a fair part. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

/** Makes deliveries that were attempted once and are due again, each a second after the one before. */
const attempted = Effect.fnUntraced(function* (times: number) {
  const found = yield* Queue.waiting(times)
  for (const [nth, job] of (yield* Queue.claim()).entries()) {
    yield* Queue.settle([job], { retry_at: yield* Queue.at((nth - 60) * 1_000) })
  }
  return { ...found, deliveries: yield* Fixture.deliveries(found.account_id) }
})

const order = (it: Tests): void => {
  it.effect("the oldest deliveries come first", () =>
    Effect.gen(function* () {
      const { deliveries } = yield* Queue.waiting(5)
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim({ limit: 2 })), Queue.ids(deliveries.slice(0, 2)))
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim({ limit: 2 })), Queue.ids(deliveries.slice(2, 4)))
    }),
  )

  it.effect("the retries that were due first come first", () =>
    Effect.gen(function* () {
      const { deliveries } = yield* attempted(4)
      const byDue = deliveries.toSorted((left, right) => ((left.due_at ?? "") < (right.due_at ?? "") ? -1 : 1))
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim({ limit: 2 })), Queue.ids(byDue.slice(0, 2)))
    }),
  )

  it.effect("first attempts come before retries that waited longer, and leave them a share", () =>
    Effect.gen(function* () {
      const { account_id } = yield* attempted(8)
      yield* Queue.raise(account_id, 8)
      const attempts = (yield* Queue.claim({ limit: 8 })).map(({ attempt }) => attempt)
      assert.strictEqual(attempts.length, 8)
      assert.isAbove(attempts.filter((attempt) => attempt === 1).length, 4)
      assert.include(attempts, 2)
    }),
  )

  it.effect("the one place of a claim goes to a first attempt", () =>
    Effect.gen(function* () {
      const { account_id } = yield* attempted(1)
      yield* Queue.raise(account_id, 1)
      assert.deepStrictEqual(
        (yield* Queue.claim({ limit: 1 })).map(({ attempt }) => attempt),
        [1],
      )
    }),
  )

  it.effect("retries fill the places that first attempts leave", () =>
    Effect.gen(function* () {
      const { account_id } = yield* attempted(4)
      yield* Queue.raise(account_id, 1)
      const attempts = (yield* Queue.claim({ limit: 4 })).map(({ attempt }) => attempt)
      assert.sameMembers(attempts, [1, 2, 2, 2])
    }),
  )

  it.effect("an endpoint with a backlog leaves room for the others, however long it is", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(0)
      yield* Fixture.atOnce(100, () => Fixture.asset(account_id))
      const [first, second] = [yield* Fixture.account, yield* Fixture.account]
      const others = [yield* Fixture.endpoint(first), yield* Fixture.endpoint(second)]
      for (const other of [first, second]) yield* Queue.raise(other, 2)
      const jobs = yield* Queue.claim({ limit: 4 })
      assert.strictEqual(jobs.length, 4)
      assert.includeMembers(
        jobs.map(({ endpoint_id }) => endpoint_id),
        others.map(({ id }) => id),
      )
    }),
  )

  it.effect("a first attempt is found behind those that must wait, though there are retries for every place", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(0)
      yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 1)
      yield* Queue.settle(yield* Queue.claim(), { retry_at: yield* Queue.at(-1_000) })
      const [full, other] = [yield* Fixture.account, yield* Fixture.account]
      const [busy, ready] = [yield* Fixture.endpoint(full), yield* Fixture.endpoint(other)]
      yield* Fixture.atOnce(20, () => Fixture.asset(full))
      yield* Queue.raise(other, 1)
      const jobs = yield* Queue.claim({ limit: 2, saturated: [{ account_id: full, endpoint_id: busy.id }] })
      assert.sameMembers(
        jobs.map(({ endpoint_id, attempt }) => `${endpoint_id === ready.id} ${attempt}`),
        ["true 1", "false 2"],
      )
    }),
  )

  it.effect("the deliveries of one change come in the order of its events", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      yield* Queue.clear
      yield* Fixture.endpoint(account_id)
      for (const _ of Array.from({ length: 6 })) {
        yield* Fixture.design(account_id, product_id, { status: "finalized" })
        yield* Fixture.later
      }
      const told = (yield* Fixture.told(account_id)).filter((event) => event.startsWith("design."))
      const jobs = yield* Queue.claim()
      assert.deepStrictEqual(
        jobs.map(({ event }) => event),
        told,
      )
    }),
  )
}

const limits = (it: Tests): void => {
  it.effect("a claim gets no more than it asks for, of all and of each endpoint", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(0)
      yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 5)
      const capped = yield* Queue.claim({ per_endpoint: 2 })
      const counts = Map.groupBy(capped, ({ endpoint_id }) => endpoint_id)
      assert.deepStrictEqual(
        [...counts.values()].map(({ length }) => length),
        [2, 2],
      )
      assert.strictEqual((yield* Queue.claim({ limit: 3 })).length, 3)
    }),
  )

  it.effect("a claim may get more of an endpoint that is quick, after the first of all others", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(0)
      const other = yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 5)
      const quick = [{ account_id, endpoint_id: endpoint.id }]
      const jobs = yield* Queue.claim({ limit: 5, per_endpoint: 1, quick })
      assert.sameMembers(
        jobs.map(({ endpoint_id }) => endpoint_id),
        [other.id, ...Array.from({ length: 4 }, () => endpoint.id)],
      )
    }),
  )

  it.effect("a claim gets no more bytes than it asks for, and one delivery however large", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(0)
      const assets = yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.tap(Fixture.asset(account_id, { metadata: { text: "x".repeat(10_000) } }), Fixture.later),
      )
      const counts = yield* Effect.forEach([25_000, 5_000, 25_000], (max_bytes) =>
        Effect.map(Queue.claim({ max_bytes }), ({ length }) => length),
      )
      assert.strictEqual(assets.length, 4)
      assert.deepStrictEqual(counts, [2, 1, 1])
    }),
  )

  it.effect("a saturated endpoint is left out", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(0)
      const other = yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 2)
      const jobs = yield* Queue.claim({ saturated: [{ account_id, endpoint_id: endpoint.id }] })
      assert.deepStrictEqual(
        jobs.map(({ endpoint_id }) => endpoint_id),
        [other.id, other.id],
      )
      assert.strictEqual((yield* Queue.claim()).length, 2)
    }),
  )

  it.effect("endpoints of two accounts have nothing to do with each other, also where their ids are the same", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(3)
      const other = yield* Fixture.account
      yield* Fixture.endpoint(other, { id: endpoint.id })
      yield* Queue.raise(other, 1)
      const jobs = yield* Queue.claim({ per_endpoint: 1 })
      assert.sameMembers(
        jobs.map((job) => job.account_id),
        [account_id, other],
      )
      yield* Queue.raise(other, 1)
      const rest = yield* Queue.claim({ saturated: [{ account_id, endpoint_id: endpoint.id }] })
      assert.deepStrictEqual(
        rest.map((job) => job.account_id),
        [other],
      )
    }),
  )

  it.effect("what is not due is not claimed, and the claim says when the next is", () =>
    Effect.gen(function* () {
      const { deliveries } = yield* Queue.waiting(2)
      const [sooner, later] = [yield* Queue.at(60_000), yield* Queue.at(120_000)]
      const [first, second] = yield* Queue.claim({ lease_ms: 3_600_000 })
      yield* Queue.settle([second!], { retry_at: later })
      yield* Queue.settle([first!], { retry_at: sooner })
      const claim = yield* (yield* Deliveries).claim(Queue.anything)
      assert.strictEqual(deliveries.length, 2)
      assert.deepStrictEqual(claim, { jobs: [], next_due_at: Date.parse(sooner), expired: 0, more: false })
    }),
  )

  it.effect("a claim that gets all there is knows of no next", () =>
    Effect.gen(function* () {
      const { next_due_at: before } = yield* (yield* Deliveries).claim(Queue.anything)
      yield* Queue.waiting(1)
      const { jobs, next_due_at } = yield* (yield* Deliveries).claim({ ...Queue.anything, lease_ms: 50 })
      assert.deepStrictEqual([jobs.length, next_due_at], [1, before])
      yield* Queue.settle(jobs, "succeeded")
      // Until its end the lease may be told of.
      yield* Effect.sleep("60 millis")
    }),
  )

  it.effect("a delivery under lease is the next when its lease is the next to run out", () =>
    Effect.gen(function* () {
      const { next_due_at: before } = yield* (yield* Deliveries).claim(Queue.anything)
      yield* Queue.waiting(2)
      const [first] = yield* Queue.claim({ limit: 1, lease_ms: 1_800_000 })
      const [second] = yield* Queue.claim({ lease_ms: 2_400_000 })
      const claim = yield* (yield* Deliveries).claim(Queue.anything)
      // A lease of another test may end sooner.
      const next_due_at = Math.min(before ?? Infinity, first!.lease_until)
      assert.deepStrictEqual(claim, { jobs: [], next_due_at, expired: 0, more: false })
      yield* Queue.settle([first!, second!], "succeeded")
    }),
  )

  it.effect("a delivery to an endpoint that is not active any more, or gone, is canceled instead", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { account_id, endpoint } = yield* Queue.waiting(1)
      yield* Queue.claimBriefly
      yield* endpoints.delete(account_id, endpoint.id)
      assert.deepStrictEqual(yield* Queue.claim(), [])
      const [delivery] = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual([delivery?.status, delivery?.due_at, delivery?.lease_until], ["canceled", null, null])
    }),
  )
}

export const tests = (it: Tests): void => {
  order(it)
  limits(it)
}

export const suite: Suite = suiteOf("Claims", tests)
