/** How deliveries go, as people see it in the dashboard. */
import { assert, describe, it } from "@effect/vitest"
import { Tally, type Trouble } from "@tc/domain"
import { type Counted, HOUR_MS, MINUTE_MS, Tallies } from "@tc/store"
import { Effect } from "effect"
import { invited, owner, start, stranger } from "./World.ts"

type World = Effect.Success<ReturnType<typeof start>>

const input = { url: "https://a.example/hook", events: ["*"] }

/** An owner with an endpoint. */
const begin = Effect.fnUntraced(function* () {
  const world = yield* start()
  const ada = yield* owner(world)
  const { body: endpoint } = yield* Effect.promise(() => ada.post("webhook_endpoints", input))
  return { world, ada, endpoint }
})

/** The time of the server, which is ours. */
const now = Date.now()

/** Attempts of an endpoint that ended so many milliseconds ago, all of them within 60 ms. */
const count = (
  { run }: World,
  { id: endpoint_id, account_id }: Pick<Counted, "account_id"> & { readonly id: Counted["endpoint_id"] },
  ago: number,
  outcomes: Partial<Tally.Outcomes>,
) => {
  const all = { ...Tally.none, ...outcomes }
  const durations = Tally.none.durations.map((_, bucket) => (bucket === Tally.bucketOf(60) ? Tally.attempts(all) : 0))
  const latest_at = now - ago
  const minute = Math.floor(latest_at / MINUTE_MS) * MINUTE_MS
  const counted = { ...all, account_id, endpoint_id, minute, latest_at, durations }
  return run(Effect.flatMap(Tallies, ({ add }) => add([counted])))
}

describe("the overview", () => {
  it.live("has a step for every part of the span, also where nothing happened", () =>
    Effect.gen(function* () {
      const { ada } = yield* begin()
      for (const [query, span, steps, seconds] of [
        ["", "24h", 96, 900],
        ["?span=1h", "1h", 60, 60],
        ["?span=7d", "7d", 84, 7_200],
      ] as const) {
        const asked_at = Date.now()
        const { body } = yield* Effect.promise(() => ada.ask(`overview${query}`))
        assert.deepInclude(body, { span, step_seconds: seconds, troubled: [] })
        assert.lengthOf(body.steps, steps)
        const times: ReadonlyArray<number> = body.steps.map(({ at }: { at: string }) => Date.parse(at))
        const [first] = body.steps
        assert.isTrue(times.every((at, nth) => at === Date.parse(first.at) + nth * seconds * 1_000))
        assert.isAtLeast(times.at(-1)! + seconds * 1_000, asked_at)
        const nothing = { succeeded: 0, retried: 0, failed: 0, p50_ms: null, p95_ms: null }
        assert.deepInclude(body.steps[0], nothing)
        assert.deepStrictEqual(body.totals, { ...nothing, success_rate: null })
      }
    }),
  )

  it.live("tells attempts in the step in which they ended, and all of the span together", () =>
    Effect.gen(function* () {
      const { world, ada, endpoint } = yield* begin()
      yield* count(world, endpoint, 0, { succeeded: 2, retried: 1 })
      yield* count(world, endpoint, 30 * MINUTE_MS, { succeeded: 1, failed: 1 })
      yield* count(world, endpoint, 2 * HOUR_MS, { succeeded: 5 })
      yield* count(world, endpoint, 8 * 24 * HOUR_MS, { succeeded: 100 })
      const { hour, day, week } = yield* Effect.promise(async () => ({
        hour: await ada.ask("overview?span=1h"),
        day: await ada.ask("overview?span=24h"),
        week: await ada.ask("overview?span=7d"),
      }))
      const some = hour.body.steps.filter((step: Tally.Outcomes) => Tally.attempts(step) > 0)
      assert.deepStrictEqual(
        some.map(({ succeeded, retried, failed }: Tally.Outcomes) => [succeeded, retried, failed]),
        [
          [1, 0, 1],
          [2, 1, 0],
        ],
      )
      assert.deepInclude(some[0], { p50_ms: 75, p95_ms: 100 })
      assert.deepStrictEqual(hour.body.totals, {
        succeeded: 3,
        retried: 1,
        failed: 1,
        p50_ms: 80,
        p95_ms: 100,
        success_rate: 0.6,
      })
      assert.strictEqual(day.body.totals.succeeded, 8)
      assert.strictEqual(week.body.totals.succeeded, 8)
    }),
  )

  it.live("names the endpoints in trouble, the worst first, and why", () =>
    Effect.gen(function* () {
      const { world, ada, endpoint } = yield* begin()
      const { body: other } = yield* Effect.promise(() => ada.post("webhook_endpoints", input))
      yield* count(world, endpoint, 0, { succeeded: 80, retried: 20 })
      yield* count(world, other, 0, { succeeded: 1, failed: 1 })
      const { body } = yield* Effect.promise(() => ada.ask("overview"))
      assert.deepStrictEqual(
        body.troubled.map((one: { id: string; reason: Trouble.Reason }) => [one.id, one.reason]),
        [
          [other.id, "low_success_rate"],
          [endpoint.id, "low_success_rate"],
        ],
      )
      assert.deepStrictEqual(body.troubled[1], {
        id: endpoint.id,
        url: input.url,
        status: "active",
        consecutive_failures: 0,
        disabled_at: null,
        reason: "low_success_rate",
        success_rate: 0.8,
        last_attempt_at: new Date(now).toISOString(),
      })
    }),
  )

  it.live("is for every member, and shows nothing of another account", () =>
    Effect.gen(function* () {
      const { world, ada, endpoint } = yield* begin()
      yield* count(world, endpoint, 0, { failed: 3 })
      const viewer = yield* invited(world, ada, "viewer", "joan@example.com")
      const eve = yield* stranger(world)
      const [hers, theirs] = yield* Effect.promise(() => Promise.all([viewer.ask("overview"), eve.ask("overview")]))
      assert.deepStrictEqual([hers.status, hers.body.totals.failed], [200, 3])
      assert.deepStrictEqual([theirs.body.totals.failed, theirs.body.troubled], [0, []])
    }),
  )

  it.live("is not for who is not signed in, nor for a span that there is not", () =>
    Effect.gen(function* () {
      const { world, ada } = yield* begin()
      const { wrong, nobody } = yield* Effect.promise(async () => ({
        wrong: await ada.ask("overview?span=1y"),
        nobody: await fetch(`${world.origin}/dashboard/api/v1/overview`),
      }))
      assert.deepStrictEqual([wrong.status, nobody.status], [422, 401])
    }),
  )
})

describe("the list of endpoints", () => {
  it.live("tells of each the share of attempts that succeeded in the last day, and when the latest was", () =>
    Effect.gen(function* () {
      const { world, ada, endpoint } = yield* begin()
      yield* count(world, endpoint, HOUR_MS, { succeeded: 3, failed: 1 })
      yield* count(world, endpoint, 26 * HOUR_MS, { failed: 6 })
      yield* Effect.promise(() => ada.post("webhook_endpoints", { ...input, url: "https://b.example/" }))
      const { body } = yield* Effect.promise(() => ada.ask("webhook_endpoints"))
      assert.deepInclude(body.data[0], { url: "https://b.example/", success_rate: null, last_attempt_at: null })
      assert.deepInclude(body.data[1], {
        url: input.url,
        success_rate: 0.75,
        last_attempt_at: new Date(now - HOUR_MS).toISOString(),
      })
    }),
  )
})
