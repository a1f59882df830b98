import { assert, describe, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import { type Counted, Deliveries, type Settlement, Tallies, Unavailable } from "@tc/store"
import { Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Tallying from "../../src/Tallying.ts"
import { TallySheet } from "../../src/TallySheet.ts"
import * as World from "./World.ts"

const A = "https://a.example/"
const B = "https://b.example/"
const MINUTE = 60_000
const DAY = 86_400_000

/** How the attempts of an account went, of all times. */
const outcomes = (account_id: Effect.Success<typeof World.account>) =>
  Effect.gen(function* () {
    const steps = yield* (yield* Tallies).steps(account_id, { from: 0, until: DAY, step_ms: DAY })
    return steps.map(({ succeeded, retried, failed }) => ({ succeeded, retried, failed }))
  })

/** A storage of whose tallies some additions fail, as `fault` says. */
const faulty = (fault: (counted: ReadonlyArray<Counted>) => unknown) =>
  Layer.effect(
    Tallies,
    Effect.map(Tallies, (tallies) =>
      Tallies.of({
        ...tallies,
        add: (counted) => {
          const error = fault(counted)
          return error === undefined ? tallies.add(counted) : Effect.die(error)
        },
      }),
    ),
  ).pipe(Layer.provideMerge(World.storage))

/** The result of an attempt that began at a time and took a millisecond. */
const settlement = (endpoint: Pick<Counted, "account_id" | "endpoint_id">, began_at: number): Settlement => ({
  job: { ...endpoint, id: Id.DeliveryId.id.make(crypto.randomUUID()), lease: "", url: "", secret: "" },
  attempt: {
    number: 1,
    started_at: new Date(began_at).toISOString(),
    duration_ms: 1,
    status_code: 200,
    error: null,
    response_excerpt: null,
  },
  outcome: "succeeded",
})

describe("attempts", () => {
  it.effect("are counted in the minute in which they ended, by what they made of their deliveries", () => {
    const { layer } = World.receivers((_, nth) => Effect.delay(Effect.succeed(nth === 3 ? World.ok : World.down), 300))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      const { id } = yield* World.endpoint(account_id, A)
      yield* TestClock.adjust(MINUTE - 100)
      yield* World.happen(account_id)
      yield* TestClock.adjust("5 minutes")
      const tallies = yield* Tallies
      const steps = yield* tallies.steps(account_id, { from: 0, until: DAY, step_ms: MINUTE })
      assert.deepStrictEqual(
        steps.map(({ at, succeeded, retried, failed }) => [at / MINUTE, succeeded, retried, failed]),
        [
          [1, 0, 1, 0],
          [2, 0, 1, 0],
          [3, 1, 0, 0],
        ],
      )
      // Each took 300 ms.
      assert.deepStrictEqual(steps[0]?.durations, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
      const [found] = yield* tallies.ofEndpoints(account_id, [id], 0)
      assert.deepInclude(found, { outcomes: { succeeded: 1, retried: 2, failed: 0 }, latest_at: 3 * MINUTE + 800 })
    }).pipe(Effect.provide(World.layer(layer, { schedule: [0, MINUTE, MINUTE] })))
  })

  it.effect("that end a delivery without success are counted as failed", () => {
    const { layer } = World.receivers(({ url }) => (url === A ? { status_code: 410 } : World.down))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.endpoint(account_id, B)
      yield* World.happen(account_id)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* outcomes(account_id), [{ succeeded: 0, retried: 0, failed: 2 }])
    }).pipe(Effect.provide(World.layer(layer, { schedule: [0] })))
  })

  it.effect("of several dispatchers are added up, and one that ends leaves none out", () => {
    const { layer, seen } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      for (const times of [2, 3]) {
        const stop = yield* World.start(layer)
        yield* World.happen(account_id, times)
        yield* TestClock.adjust(500)
        yield* stop
      }
      assert.lengthOf(seen, 5)
      assert.deepStrictEqual(yield* outcomes(account_id), [{ succeeded: 5, retried: 0, failed: 0 }])
    }).pipe(Effect.provide(World.storage))
  })

  it.effect("are kept while the storage cannot be reached, and added when it can", () => {
    let down = true
    const { layer } = World.receivers(() => World.ok)
    const storage = faulty(() => (down ? new Unavailable({ cause: "test" }) : undefined))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      for (const times of [2, 1]) {
        yield* World.happen(account_id, times)
        yield* TestClock.adjust("5 seconds")
      }
      assert.deepStrictEqual(yield* outcomes(account_id), [])
      down = false
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* outcomes(account_id), [{ succeeded: 3, retried: 0, failed: 0 }])
    }).pipe(Effect.provide(World.dispatcher(layer).pipe(Layer.provideMerge(storage))))
  })

  it.effect("that are being added when the dispatcher is stopped are not left out", () => {
    const { layer } = World.receivers(() => World.ok)
    const slow = Layer.effect(
      Tallies,
      Effect.map(Tallies, (tallies) =>
        Tallies.of({ ...tallies, add: (counted) => Effect.delay(tallies.add(counted), "3 seconds") }),
      ),
    ).pipe(Layer.provideMerge(World.storage))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      const stop = yield* World.start(layer)
      yield* World.happen(account_id)
      yield* TestClock.adjust("3 seconds")
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* outcomes(account_id), [{ succeeded: 1, retried: 0, failed: 0 }])
    }).pipe(Effect.provide(slow))
  })

  it.effect("whose results were not taken are not counted", () => {
    const { layer, seen } = World.receivers(() => World.ok)
    const fenced = Layer.effect(
      Deliveries,
      Effect.map(Deliveries, (deliveries) =>
        Deliveries.of({ ...deliveries, settle: (settlements) => Effect.succeed(settlements.map(() => null)) }),
      ),
    ).pipe(Layer.provideMerge(World.storage))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id)
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(seen, 1)
      assert.deepStrictEqual(yield* outcomes(account_id), [])
    }).pipe(Effect.provide(World.dispatcher(layer).pipe(Layer.provideMerge(fenced))))
  })

  it.effect("that the storage refuses keep no others from being counted", () => {
    let refusals = 1
    const { layer } = World.receivers(() => World.ok)
    const storage = faulty(() => (refusals-- > 0 ? new Error("refused") : undefined))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      for (const times of [2, 1]) {
        yield* World.happen(account_id, times)
        yield* TestClock.adjust("5 seconds")
      }
      assert.deepStrictEqual(yield* outcomes(account_id), [{ succeeded: 1, retried: 0, failed: 0 }])
    }).pipe(Effect.provide(World.dispatcher(layer).pipe(Layer.provideMerge(storage))))
  })
})

describe("what is counted", () => {
  it.effect("is the latest of too much that cannot be added, and the log says so", () => {
    const lines: Array<string> = []
    const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    let down = true
    const storage = faulty(() => (down ? new Unavailable({ cause: "test" }) : undefined))
    return Effect.gen(function* () {
      const account_id = yield* World.account
      const { id: endpoint_id } = yield* World.endpoint(account_id, A)
      const { count } = yield* Tallying.make(2)
      for (const minute of [3, 1, 2, 3]) count(settlement({ account_id, endpoint_id }, minute * MINUTE))
      yield* TestClock.adjust("3 seconds")
      assert.lengthOf(
        lines.filter((line) => line.includes("attempts are not counted")),
        1,
      )
      down = false
      yield* TestClock.adjust("3 seconds")
      const steps = yield* (yield* Tallies).steps(account_id, { from: 0, until: DAY, step_ms: MINUTE })
      assert.deepStrictEqual(
        steps.map(({ at, succeeded }) => [at / MINUTE, succeeded]),
        [
          [2, 1],
          [3, 2],
        ],
      )
    }).pipe(Effect.provide(Layer.provideMerge(storage, log)))
  })

  it("has the time at which the latest attempt ended, in whatever order they are counted or put back", () => {
    const endpoint_id = Id.WebhookEndpointId.id.make(crypto.randomUUID())
    const endpoint = { account_id: Id.AccountId.id.make(crypto.randomUUID()), endpoint_id }
    const sheet = new TallySheet()
    for (const began_at of [5_000, 9_000, 7_000]) sheet.count(settlement(endpoint, began_at))
    const taken = sheet.take()
    sheet.count(settlement(endpoint, 1_000))
    sheet.putBack(taken)
    assert.strictEqual(sheet.size, 1)
    assert.deepInclude(sheet.take()[0], { latest_at: 9_001, succeeded: 4 })
  })

  it.effect("is removed after eight days", () => {
    const { layer } = World.receivers(() => World.ok)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      const scope = yield* Scope.make()
      yield* Effect.provideService(Tallying.make(), Scope.Scope, scope)
      const stop = yield* World.start(layer)
      yield* World.happen(account_id)
      yield* TestClock.adjust("5 seconds")
      yield* stop
      yield* TestClock.adjust("8 days")
      assert.lengthOf(yield* outcomes(account_id), 1)
      yield* TestClock.adjust("2 hours")
      assert.lengthOf(yield* outcomes(account_id), 0)
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(World.storage))
  })
})
