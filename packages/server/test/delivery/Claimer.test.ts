/** How much of what waits in the queue one claim brings. */
import { assert, describe, it } from "@effect/vitest"
import { Deliveries } from "@tc/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"
const PER_ENDPOINT = 4

/** How many deliveries each claim brings of an endpoint that has two hundred waiting, and answers after so long. */
const claimsOf = (takes_ms: number) => {
  const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.ok), takes_ms))
  const brought: Array<number> = []
  const counted = Layer.effect(
    Deliveries,
    Effect.map(Deliveries, (deliveries) =>
      Deliveries.of({
        ...deliveries,
        claim: (request) =>
          Effect.tap(deliveries.claim(request), ({ jobs }) => Effect.sync(() => brought.push(jobs.length))),
      }),
    ),
  )
  return Effect.gen(function* () {
    const account_id = yield* World.account
    yield* World.endpoint(account_id, A)
    yield* World.happen(account_id, 200)
    yield* Effect.provide(World.start(layer, { per_endpoint: PER_ENDPOINT }), counted)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(seen.length, 200)
    return brought
  }).pipe(Effect.provide(World.storage))
}

describe("a claim", () => {
  it.effect("brings a set of an endpoint that is not known, and all there is once it has ended one soon", () =>
    Effect.gen(function* () {
      const [first = 0, ...others] = yield* claimsOf(5)
      assert.strictEqual(first, PER_ENDPOINT)
      assert.isAbove(Math.max(...others), 100)
    }),
  )
  it.effect("brings no more than a set of one that takes its time", () =>
    Effect.gen(function* () {
      assert.strictEqual(Math.max(...(yield* claimsOf(2_000))), PER_ENDPOINT)
    }),
  )
})
