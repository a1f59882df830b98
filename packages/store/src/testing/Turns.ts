/** How the hand-over passes by what waits its turn: in order, or at a rate. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import type { Services } from "../Services.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"
import { begin, type Recorder } from "./Recorder.ts"

export const tests = (it: Vitest.MethodsNonLive<Services | Recorder>): void => {
  it.effect("what waits its turn is not born under a lease, and is told of when it may have come", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, recorder } = yield* begin(60_000)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { ordered: true })
      recorder.start(60_000)
      const other = yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 2)
      assert.deepStrictEqual(
        recorder.offered.map(({ endpoint_id }) => endpoint_id),
        [other.id, other.id],
      )
      assert.isAbove(recorder.woken(), 0)
      const jobs = yield* Queue.claim()
      recorder.start(60_000)
      yield* Queue.settle(jobs, "succeeded")
      assert.strictEqual(recorder.woken(), 1)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
    }),
  )

  it.effect("what was born under a lease goes before what waits, once its endpoint is put in order", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, recorder } = yield* begin(60_000)
      yield* Fixture.asset(account_id)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { ordered: true })
      assert.deepStrictEqual(recorder.recalled, [{ account_id, endpoint_id: endpoint.id }])
      yield* Fixture.asset(account_id)
      assert.deepStrictEqual(yield* Queue.claim(), [])
      yield* Queue.settle([...recorder.offered], "succeeded")
      assert.strictEqual((yield* Queue.claim()).length, 1)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
    }),
  )
}
