import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, References } from "effect"
import { TestClock } from "effect/testing"
import * as World from "./World.ts"

const A = "https://a.example/"

/** An account with one endpoint and one event, whose delivery is attempted for an hour. */
const run = Effect.gen(function* () {
  const account_id = yield* World.account
  const endpoint = yield* World.endpoint(account_id, A)
  yield* World.happen(account_id)
  yield* TestClock.adjust("1 hour")
  const [delivery] = yield* World.deliveries(account_id)
  return { endpoint, delivery }
})

const settings = { schedule: [0, 1_000] as const, poll_ms: 3_600_000 }

describe("metrics", () => {
  it.effect("count attempts by how they ended, and deliveries by what became of them", () => {
    const registry = Layer.succeed(Metric.MetricRegistry, new Map())
    const { layer } = World.receivers((_, nth) => (nth === 1 ? { error: "timeout" } : World.down))
    return Effect.gen(function* () {
      yield* run
      const counted = (yield* Metric.snapshot).flatMap(({ id, attributes, state }) =>
        "count" in state && id.endsWith("_total") && state.count !== 0
          ? [[id, attributes?.["outcome"], state.count]]
          : [],
      )
      assert.sameDeepMembers(counted, [
        ["webhook_attempts_total", "timeout", 1],
        ["webhook_attempts_total", "rejected", 1],
        ["webhook_deliveries_total", "retried", 1],
        ["webhook_deliveries_total", "exhausted", 1],
      ])
    }).pipe(Effect.provide(World.layer(layer, settings).pipe(Layer.provideMerge(registry))))
  })
})

describe("the log", () => {
  it.effect("tells of each attempt what it was about, and nothing of its payload or its secret", () => {
    const lines: Array<string> = []
    const log = Layer.mergeAll(
      Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]),
      Layer.succeed(References.MinimumLogLevel, "Debug"),
    )
    const { layer } = World.receivers(() => World.down)
    return Effect.gen(function* () {
      const { endpoint, delivery } = yield* run
      const told = lines.filter((line) => line.includes("attempt"))
      assert.strictEqual(told.length, 3)
      for (const line of told) {
        assert.include(line, delivery?.id ?? "no delivery")
        assert.include(line, endpoint.id)
        assert.include(line, endpoint.account_id)
      }
      assert.notInclude(lines.join(), endpoint.secret)
      assert.notInclude(lines.join(), "clipart")
    }).pipe(Effect.provide(World.layer(layer, settings).pipe(Layer.provideMerge(log))))
  })
})
