/** What `settle` answers of each result that was written: which failure in a row it is, and whether it disabled the endpoint. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Deliveries, type Job, type Outcome } from "../Deliveries.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

/** Settles jobs in one batch, each with its outcome; answers with the failures in a row and whether that disabled. */
const settleAs = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>, outcomes: ReadonlyArray<Outcome>) {
  const written = yield* (yield* Deliveries).settle(
    jobs.map((job, nth) => ({ job, attempt: Queue.attempt(job), outcome: outcomes[nth]! })),
    Queue.streak,
  )
  return written.map((one) => one && ([one.failures, one.disabled] as const))
})

export const tests = (it: Tests): void => {
  it.effect("the answer says of each failure which one in a row it is, and which of them disabled the endpoint", () =>
    Effect.gen(function* () {
      yield* Queue.waiting(9)
      const jobs = yield* Queue.claim()
      const outcomes = ["exhausted", "succeeded", "exhausted", "failed", "exhausted"] as const
      const later = Array.from({ length: 4 }, () => "exhausted" as const)
      assert.deepStrictEqual(yield* settleAs(jobs.slice(0, 5), outcomes), [
        [1, false],
        [0, false],
        [1, false],
        [0, false],
        [2, false],
      ])
      assert.deepStrictEqual(yield* settleAs(jobs.slice(5), later), [
        [3, false],
        [4, false],
        [5, true],
        [0, false],
      ])
    }),
  )

  it.effect("the answer tells the failures of endpoints apart that are settled together", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(0)
      const other = yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 2)
      const jobs = yield* Queue.claim()
      const outcomes = jobs.map(({ endpoint_id }) => (endpoint_id === other.id ? "failed" : "exhausted"))
      const expected = outcomes.map((outcome, nth) =>
        outcome === "failed" ? 0 : outcomes.slice(0, nth + 1).filter((one) => one === outcome).length,
      )
      const written = yield* settleAs(jobs, outcomes)
      assert.deepStrictEqual(
        written.map((one) => one?.[0]),
        expected,
      )
    }),
  )

  it.effect("the answer says that the first failure disabled an endpoint which wants it so where it is gone", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(0)
      const one = yield* Fixture.endpoint(account_id, { disable_on_gone: true })
      yield* Queue.raise(account_id, 1)
      const jobs = (yield* Queue.claim()).toSorted(({ endpoint_id }) => (endpoint_id === one.id ? -1 : 1))
      assert.deepStrictEqual(yield* settleAs(jobs, ["gone", "gone"]), [
        [1, true],
        [1, false],
      ])
    }),
  )

  it.effect("the answer says nothing of a result whose lease was lost", () =>
    Effect.gen(function* () {
      yield* Queue.waiting(1)
      const lost = yield* Queue.claimBriefly
      const held = yield* Queue.claim()
      assert.deepStrictEqual(yield* settleAs([...lost, ...held], ["exhausted", "exhausted"]), [null, [1, false]])
    }),
  )
}

export const suite: Suite = suiteOf("Written", tests)
