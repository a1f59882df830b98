/** How an attempt is recorded, and where its delivery goes from there. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

/** One delivery under lease, in a queue that holds nothing else. */
const leased = Effect.gen(function* () {
  const { account_id, endpoint } = yield* Queue.waiting(1)
  const [job] = yield* Queue.claim()
  return { account_id, endpoint, job: job!, now: Effect.flatMap(Deliveries, (all) => all.get(account_id, job!.id)) }
})

const outcomes = (it: Tests): void => {
  it.effect("a success ends the delivery", () =>
    Effect.gen(function* () {
      const { job, now } = yield* leased
      assert.deepStrictEqual(yield* Queue.settle([job], "succeeded"), [true])
      const { status, attempt_count, due_at, lease_until, attempts } = yield* now
      assert.deepStrictEqual([status, attempt_count, due_at, lease_until], ["succeeded", 1, null, null])
      assert.deepStrictEqual(attempts, [Queue.attempt(job)])
      assert.deepStrictEqual(yield* Queue.claim(), [])
    }),
  )

  it.effect("a retry is pending until it is due, for the next attempt", () =>
    Effect.gen(function* () {
      const { job, now } = yield* leased
      const retry_at = yield* Queue.at(3_600_000)
      yield* Queue.settle([job], { retry_at })
      const { status, attempt_count, due_at, lease_until } = yield* now
      assert.deepStrictEqual([status, attempt_count, due_at, lease_until], ["pending", 1, retry_at, null])
      assert.deepStrictEqual(yield* Queue.claim(), [])
    }),
  )

  it.effect("a retry that is due is claimed as the next attempt of the same text", () =>
    Effect.gen(function* () {
      const { job } = yield* leased
      yield* Queue.settle([job], { retry_at: yield* Queue.at(-1_000) })
      const [again] = yield* Queue.claim()
      assert.deepStrictEqual([again?.id, again?.attempt, again?.tail], [job.id, 2, job.tail])
    }),
  )

  it.effect("a delivery that is exhausted, or fails beyond its schedule, has failed", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(2)
      const [first, second] = yield* Queue.claim()
      yield* Queue.settle([first!], "exhausted")
      yield* Queue.settle([second!], "failed")
      const deliveries = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual(
        deliveries.map(({ status, attempt_count, due_at }) => [status, attempt_count, due_at]),
        [
          ["failed", 1, null],
          ["failed", 1, null],
        ],
      )
      assert.deepStrictEqual(yield* Queue.claim(), [])
    }),
  )

  it.effect("every attempt is kept with its delivery, oldest first", () =>
    Effect.gen(function* () {
      const { job, now } = yield* leased
      const deliveries = yield* Deliveries
      const timeout = Queue.attempt(job, { status_code: null, error: "timeout", duration_ms: 30_000 })
      yield* deliveries.settle(
        [{ job, attempt: timeout, outcome: { retry_at: yield* Queue.at(-1_000) } }],
        Queue.streak,
      )
      const [second] = yield* Queue.claim()
      const refused = Queue.attempt(second!, { status_code: 500, response_excerpt: "Sorry — «später»\n" })
      yield* deliveries.settle([{ job: second!, attempt: refused, outcome: "failed" }], Queue.streak)
      const { attempts, attempt_count } = yield* now
      assert.deepStrictEqual(attempts, [timeout, refused])
      assert.strictEqual(attempt_count, 2)
    }),
  )

  it.effect("a retry for an endpoint that is not active any more is canceled, with its attempt", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, job, now } = yield* leased
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      assert.deepStrictEqual(yield* Queue.settle([job], { retry_at: yield* Queue.at(-1_000) }), [true])
      const { status, due_at, attempts } = yield* now
      assert.deepStrictEqual([status, due_at, attempts.length], ["canceled", null, 1])
      assert.deepStrictEqual(yield* Queue.claim(), [])
    }),
  )

  it.effect("a delivery to an endpoint that is gone can still succeed or fail", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(2)
      const [first, second] = yield* Queue.claim()
      yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
      assert.deepStrictEqual(yield* Queue.settle([first!], "succeeded"), [true])
      assert.deepStrictEqual(yield* Queue.settle([second!], "exhausted"), [true])
      const statuses = (yield* Fixture.deliveries(account_id)).map(({ status }) => status)
      assert.deepStrictEqual(statuses.toSorted(), ["failed", "succeeded"])
    }),
  )
}

const fences = (it: Tests): void => {
  it.effect("who lost the lease to another writes nothing, and is told so", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(1)
      const [lost] = yield* Queue.claimBriefly
      const [held] = yield* Queue.claim()
      assert.deepStrictEqual(yield* Queue.settle([lost!], "exhausted"), [false])
      const [delivery] = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual([delivery?.status, delivery?.attempt_count], ["delivering", 0])
      assert.deepStrictEqual(yield* Queue.settle([held!], "succeeded"), [true])
    }),
  )

  it.effect("a delivery is settled once for each lease", () =>
    Effect.gen(function* () {
      const { job, now } = yield* leased
      assert.deepStrictEqual(yield* Queue.settle([job], "succeeded"), [true])
      assert.deepStrictEqual(yield* Queue.settle([job], "exhausted"), [false])
      const { status, attempts } = yield* now
      assert.deepStrictEqual([status, attempts.length], ["succeeded", 1])
    }),
  )

  it.effect("of many that settle one delivery at once exactly one wins", () =>
    Effect.gen(function* () {
      const { job, now } = yield* leased
      const held = yield* Fixture.atOnce(10, () => Queue.settle([job], "succeeded"))
      assert.strictEqual(held.flat().filter(Boolean).length, 1)
      assert.strictEqual((yield* now).attempt_count, 1)
    }),
  )

  it.effect("a batch is answered in its order, and each of it stands for itself", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(4)
      const [a, b, c, d] = yield* Queue.claim()
      yield* (yield* Deliveries).release([b!])
      const retry_at = yield* Queue.at(3_600_000)
      const outcomes = ["exhausted", "succeeded", { retry_at }, "failed"] as const
      const settlements = [a!, b!, c!, d!].map((job, nth) => ({
        job,
        attempt: Queue.attempt(job),
        outcome: outcomes[nth]!,
      }))
      const written = yield* (yield* Deliveries).settle(settlements, Queue.streak)
      assert.deepStrictEqual(Queue.held(written), [true, false, true, true])
      const statuses = new Map((yield* Fixture.deliveries(account_id)).map(({ id, status }) => [id, status]))
      const expected = ["failed", "pending", "pending", "failed"] as const
      assert.deepStrictEqual(
        [a!, b!, c!, d!].map(({ id }) => statuses.get(id)),
        [...expected],
      )
    }),
  )

  it.effect("settling nothing is no mistake", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Queue.settle([], "succeeded"), [])
    }),
  )
}

export const tests = (it: Tests): void => {
  outcomes(it)
  fences(it)
}

export const suite: Suite = suiteOf("Settling", tests)
