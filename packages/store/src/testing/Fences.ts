/** That a result counts for its endpoint only while its lease is held, and results in the order in which they are given. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Deliveries, type Job, type Outcome } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Queue from "./Queue.ts"

/** An endpoint with failures in a row, and jobs to it: some under lease, and some whose lease another worker has by now. */
const begin = Effect.fnUntraced(function* (failures: number, times: { readonly held: number; readonly lost: number }) {
  const { account_id, endpoint } = yield* Queue.waiting(failures)
  yield* Queue.settle(yield* Queue.claim(), "exhausted")
  yield* Queue.raise(account_id, times.lost)
  const lost = yield* Queue.claimBriefly
  yield* Queue.claim()
  yield* Queue.raise(account_id, times.held)
  const now = Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.get(account_id, endpoint.id))
  return { held: yield* Queue.claim(), lost, failures: Effect.map(now, (row) => row.consecutive_failures) }
})

const settle = (results: ReadonlyArray<readonly [Job, Outcome]>) =>
  Effect.flatMap(Deliveries, (deliveries) =>
    Effect.map(
      deliveries.settle(
        results.map(([job, outcome]) => ({ job, attempt: Queue.attempt(job), outcome })),
        Queue.streak,
      ),
      Queue.held,
    ),
  )

const lost = (it: Tests): void => {
  it.effect("in a batch, failures count only where the lease was held", () =>
    Effect.gen(function* () {
      const { held, lost, failures } = yield* begin(0, { held: 2, lost: 3 })
      const results = [lost[0]!, held[0]!, lost[1]!, held[1]!, lost[2]!].map((job) => [job, "exhausted"] as const)
      assert.deepStrictEqual(yield* settle(results), [false, true, false, true, false])
      assert.strictEqual(yield* failures, 2)
    }),
  )

  it.effect("in a batch with the result of the lease after it, that of the lost one counts nothing", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const [lost] = yield* Queue.claimBriefly
      const [held] = yield* Queue.claim()
      const results = [[lost!, "exhausted"] as const, [held!, { retry_at: yield* Queue.at(3_600_000) }] as const]
      assert.deepStrictEqual(yield* settle(results), [false, true])
      const { consecutive_failures } = yield* (yield* WebhookEndpoints).get(account_id, endpoint.id)
      assert.strictEqual(consecutive_failures, 0)
    }),
  )

  it.effect("a success whose lease was lost clears no failures", () =>
    Effect.gen(function* () {
      const { lost, failures } = yield* begin(2, { held: 0, lost: 1 })
      assert.deepStrictEqual(yield* settle([[lost[0]!, "succeeded"]]), [false])
      assert.strictEqual(yield* failures, 2)
    }),
  )

  it.effect("nor does it in a batch with results that are written", () =>
    Effect.gen(function* () {
      const { held, lost, failures } = yield* begin(2, { held: 2, lost: 1 })
      const retry_at = yield* Queue.at(3_600_000)
      const results = [
        [held[0]!, { retry_at }],
        [lost[0]!, "succeeded"],
        [held[1]!, "exhausted"],
      ] as const
      assert.deepStrictEqual(yield* settle(results), [true, false, true])
      assert.strictEqual(yield* failures, 3)
    }),
  )
}

const order = (it: Tests): void => {
  it.effect("a failure after a success, in one batch, is the first in a row", () =>
    Effect.gen(function* () {
      const { held, failures } = yield* begin(3, { held: 2, lost: 0 })
      yield* settle([
        [held[0]!, "succeeded"],
        [held[1]!, "exhausted"],
      ])
      assert.strictEqual(yield* failures, 1)
    }),
  )

  it.effect("a success after failures, in one batch, clears them", () =>
    Effect.gen(function* () {
      const { held, failures } = yield* begin(3, { held: 2, lost: 0 })
      yield* settle([
        [held[0]!, "exhausted"],
        [held[1]!, "succeeded"],
      ])
      assert.strictEqual(yield* failures, 0)
    }),
  )
}

export const tests = (it: Tests): void => {
  lost(it)
  order(it)
}

export const suite: Suite = suiteOf("Fences", tests)
