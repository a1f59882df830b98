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

const fails = (times: number) => Array.from({ length: times }, () => false)

/** An endpoint that five failures in a row disable, whose deliveries end so, and what is told of it. */
const watched = (...ends: ReadonlyArray<boolean>) => {
  const { layer, seen } = World.receivers(() => (ends[seen.length - 1] ? World.ok : World.down))
  const lines: Array<string> = []
  const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  const registry = Layer.succeed(Metric.MetricRegistry, new Map())
  const tell = Effect.gen(function* () {
    const account_id = yield* World.account
    const { id: endpoint_id } = yield* World.endpoint(account_id, A)
    yield* Effect.forEach(ends, () => Effect.andThen(World.happen(account_id), TestClock.adjust(1_000)))
    const told = lines.map((line) => JSON.parse(line)).filter(({ message }) => message.startsWith("an endpoint "))
    const counts = (yield* Metric.snapshot).flatMap(({ id, state }) =>
      id.startsWith("webhook_endpoints") && "count" in state && state.count !== 0 ? [[id, Number(state.count)]] : [],
    )
    return { about: { account_id, endpoint_id }, told, counts: Object.fromEntries(counts) }
  })
  const world = World.layer(layer, { schedule: [0] }).pipe(Layer.provideMerge(Layer.mergeAll(log, registry)))
  return Effect.provide(tell, world)
}

const WARNED = "webhook_endpoints_warned_total"
const DISABLED = "webhook_endpoints_disabled_total"

describe("an endpoint whose deliveries fail", () => {
  for (const [when, ends, counted] of [
    ["twice in a row is not warned of", fails(2), {}],
    ["three times in a row is warned of", fails(3), { [WARNED]: 1 }],
    ["four times in a row is warned of once", fails(4), { [WARNED]: 1 }],
    ["five times in a row is disabled once", fails(5), { [WARNED]: 1, [DISABLED]: 1 }],
    ["again, after one arrived, is warned of again", [...fails(4), true, ...fails(3)], { [WARNED]: 2 }],
    ["now and then is not warned of", [...fails(2), true, ...fails(2)], {}],
  ] as const) {
    it.effect(when, () =>
      Effect.gen(function* () {
        const { counts, told } = yield* watched(...ends)
        assert.deepStrictEqual(counts, counted)
        const times = Object.values<number>(counted).reduce((sum, count) => sum + count, 0)
        assert.strictEqual(told.length, times)
      }),
    )
  }

  it.effect("is named in the log, with how many of how many, and with the last failure", () =>
    Effect.gen(function* () {
      const { about, told } = yield* watched(...fails(5))
      const latest = { ...about, attempt: 1, ending: 500, disable_after: 5 }
      assert.deepStrictEqual(
        told.map(({ level, message }) => [level, message]),
        [
          ["WARN", "an endpoint will be disabled if more of its deliveries fail"],
          ["WARN", "an endpoint was disabled, for its deliveries fail"],
        ],
      )
      assert.deepInclude(told[0]?.annotations, { ...latest, consecutive_failures: 3 })
      assert.deepInclude(told[1]?.annotations, { ...latest, consecutive_failures: 5 })
    }),
  )
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
