import { assert, describe, it } from "@effect/vitest"
import { Deliveries, Unavailable } from "@tc/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"

type Fault = (asked: "claim" | "settle", deliveries: ReadonlyArray<string>) => unknown

/** A storage whose queue fails when `fault` says so of what it is asked. */
const faulty = (fault: Fault) => {
  const check = (...asked: Parameters<Fault>) =>
    Effect.suspend(() => {
      const error = fault(...asked)
      return error === undefined ? Effect.void : Effect.die(error)
    })
  const failing = Layer.effect(
    Deliveries,
    Effect.map(Deliveries, (deliveries) =>
      Deliveries.of({
        ...deliveries,
        claim: (request) => Effect.andThen(check("claim", []), deliveries.claim(request)),
        settle: (settlements, streak) => {
          const ids = settlements.map(({ job }) => job.id)
          return Effect.andThen(check("settle", ids), deliveries.settle(settlements, streak))
        },
      }),
    ),
  )
  return failing.pipe(Layer.provideMerge(World.storage))
}

describe("while the storage cannot be reached", () => {
  it.effect("results are kept, nothing is sent, and afterwards all goes on without a duplicate", () => {
    let down = false
    const { seen, layer } = World.receivers(() => Effect.delay(Effect.succeed(World.ok), 500))
    const storage = faulty(() => (down ? new Unavailable({ cause: "test" }) : undefined))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 6)
      yield* TestClock.adjust(100)
      down = true
      yield* TestClock.adjust("20 seconds")
      const during = seen.length
      assert.isAtMost(during, 4)
      assert.strictEqual(
        (yield* World.deliveries(account_id)).filter(({ attempt_count }) => attempt_count > 0).length,
        0,
      )
      down = false
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(seen.length, 6)
      assert.strictEqual(new Set(seen.map(({ delivery }) => delivery)).size, 6)
      assert.deepStrictEqual(
        new Set((yield* World.deliveries(account_id)).map(({ status }) => status)),
        new Set(["succeeded"]),
      )
    }).pipe(Effect.provide(World.dispatcher(layer, { per_endpoint: 2 }).pipe(Layer.provideMerge(storage))))
  })
  it.effect("claims are tried again until it can", () => {
    let down = true
    const { seen, layer } = World.receivers(() => World.ok)
    const storage = faulty((asked) => (down && asked === "claim" ? new Unavailable({ cause: "test" }) : undefined))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id)
      yield* Effect.forkScoped(Layer.launch(World.dispatcher(layer)))
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(seen.length, 0)
      down = false
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual(seen.length, 1)
    }).pipe(Effect.provide(storage))
  })
})

describe("a result that the storage refuses", () => {
  it.effect("once after a long outage is written all the same", () => {
    let tries = 0
    const { seen, layer } = World.receivers(() => World.ok)
    const storage = faulty((asked) => {
      if (asked === "claim") return undefined
      tries += 1
      return tries <= 20 ? new Unavailable({ cause: "test" }) : tries === 21 ? new Error("refused") : undefined
    })
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(tries, 22)
      assert.strictEqual(seen.length, 1)
    }).pipe(Effect.provide(World.dispatcher(layer).pipe(Layer.provideMerge(storage))))
  })
  it.effect("does not keep the others from being written", () => {
    let refused: string | undefined
    const { seen, layer } = World.receivers(() => World.ok)
    const storage = faulty((asked, ids) => {
      refused ??= ids[3]
      return asked === "settle" && refused !== undefined && ids.includes(refused) ? new Error("refused") : undefined
    })
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 10)
      yield* TestClock.adjust("30 seconds")
      const all = yield* World.deliveries(account_id)
      assert.strictEqual(seen.length, 10)
      assert.deepStrictEqual(
        all.filter(({ status }) => status !== "succeeded").map(({ id }) => id),
        [refused],
      )
    }).pipe(Effect.provide(World.dispatcher(layer).pipe(Layer.provideMerge(storage))))
  })
})
