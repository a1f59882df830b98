import { assert, describe, it } from "@effect/vitest"
import { Deliveries, Unavailable } from "@tc/store"
import { Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"

/** What the metrics of these names stand at, each with its labels. */
const values = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const all = (yield* Metric.snapshot).filter(({ id }) => names.includes(id))
  return Object.fromEntries(
    all.map(({ id, attributes, state }) => [
      [id, ...Object.values(attributes ?? {})].join(" "),
      "count" in state ? state.count : "value" in state ? state.value : undefined,
    ]),
  )
})

const shown = (circuits: Record<string, number>, openings: number, deferrals: number) => ({
  ...Object.fromEntries(Object.entries(circuits).map(([state, count]) => [`webhook_circuits ${state}`, count])),
  webhook_circuit_openings_total: openings,
  webhook_deferrals_total: deferrals,
})

describe("metrics of an endpoint that does not answer", () => {
  it.effect("say how many circuits are open, how often one opened, and how many deliveries were put off", () => {
    const registry = Layer.succeed(Metric.MetricRegistry, new Map())
    const { layer } = World.receivers(({ at }) => (at < 5_000 ? { error: "timeout" } : World.ok))
    const names = ["webhook_circuits", "webhook_circuit_openings_total", "webhook_deferrals_total"]
    const states = { half_open: 0, probing: 0, closed: 0 }
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(yield* values(names), shown({ ...states, open: 0 }, 0, 0))
      yield* World.happen(account_id, 20)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* values(names), shown({ ...states, open: 1 }, 1, 15))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* values(names), shown({ ...states, open: 0 }, 1, 15))
    }).pipe(Effect.provide(World.layer(layer, { per_endpoint: 1 }).pipe(Layer.provideMerge(registry))))
  })
})

describe("metrics of the queue", () => {
  it.effect("count what is due, what is overdue, and leases that ran out", () => {
    const registry = Layer.succeed(Metric.MetricRegistry, new Map())
    const { layer } = World.receivers(() => World.ok)
    const names = ["due", "overdue", "oldest_due_seconds"].map((name) => `webhook_queue_${name}`)
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 3)
      const claim = { limit: 1, per_endpoint: 1, quick: [], max_bytes: 1e9, saturated: [], lease_ms: 5_000 }
      yield* (yield* Deliveries).claim(claim)
      yield* TestClock.adjust("12 seconds")
      // It cannot start anything: the queue stays as it is.
      yield* World.start(layer, { concurrency: 0 })
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(yield* values(names), {
        webhook_queue_due: 3,
        webhook_queue_overdue: 2,
        webhook_queue_oldest_due_seconds: 12,
      })
      yield* World.start(layer)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(yield* values(["webhook_lease_expiries_total"]), { webhook_lease_expiries_total: 1 })
    }).pipe(Effect.provide(World.storage.pipe(Layer.provideMerge(registry))))
  })
})

describe("results", () => {
  it.effect("that are not written yet are counted", () => {
    const registry = Layer.succeed(Metric.MetricRegistry, new Map())
    const { layer } = World.receivers(() => World.ok)
    const out = Layer.effect(
      Deliveries,
      Effect.map(Deliveries, (deliveries) =>
        Deliveries.of({ ...deliveries, settle: () => Effect.die(new Unavailable({ cause: new Error("out") })) }),
      ),
    )
    return Effect.gen(function* () {
      const account_id = yield* World.account
      yield* World.endpoint(account_id, A)
      yield* World.happen(account_id, 3)
      yield* Effect.provide(World.start(layer), out)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* values(["webhook_results_unwritten"]), { webhook_results_unwritten: 3 })
    }).pipe(Effect.provide(World.storage.pipe(Layer.provideMerge(registry))))
  })
})
