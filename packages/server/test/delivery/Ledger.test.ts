/** Random receivers, times and restarts: in the end the ledger is exact, and every attempt was where it belongs. */
import { assert, describe, it } from "@effect/vitest"
import { Asset, type Id } from "@tc/domain"
import { Assets, Deliveries, Events, WebhookEndpoints } from "@tc/store"
import { Clock, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { defaults } from "../../src/DeliverySettings.ts"
import * as Referee from "./Referee.ts"
import * as World from "./World.ts"

const TIMEOUT_MS = 30_000
const HOUR = 3_600_000
const schedule = [0, 60_000, 300_000]

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** What receivers do: these in turn, over deliveries and their attempts. */
const Behaviour = Schema.Literals(["well", "well", "fails", "hangs", "gone", "busy", "unavailable", "slow"])
type Behaviour = typeof Behaviour.Type

/** Some endpoints, and what happens: time passes, then so many events come, or the dispatcher stops for a while. */
const Scenario = Schema.Struct({
  endpoints: Schema.Array(Schema.Array(Behaviour).check(Schema.isMinLength(1), Schema.isMaxLength(6))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(4),
  ),
  steps: Schema.Array(
    Schema.Struct({
      after: Schema.Literals([0, 1, 700, 20_000, 60_000, 400_000]),
      what: Schema.Union([upTo(6), upTo(6), upTo(6), Schema.Literal("stop")]),
    }),
  ).check(Schema.isMaxLength(10)),
})
type Scenario = typeof Scenario.Type

const replies: Record<Behaviour, World.Reply & { readonly takes: number; readonly delay?: number }> = {
  well: { takes: 10, ...World.ok },
  slow: { takes: 12_000, ...World.ok },
  fails: { takes: 15, ...World.down },
  gone: { takes: 5, status_code: 410 },
  busy: { takes: 20, status_code: 429, retry_after: "90", delay: 90_000 },
  unavailable: { takes: 25, status_code: 503, retry_after: "3", delay: 3_000 },
  hangs: { takes: TIMEOUT_MS, error: "timeout" },
}

const urlOf = (endpoint: number) => `https://r${endpoint}.example/`

/** What comes of an attempt; no two take the same time, so that their order is never in doubt. */
const replyOf = ({ endpoints }: Scenario, endpoint: number, event: number, nth: number) => {
  const behaviours = endpoints[endpoint] ?? []
  const { takes, delay = 0, ...reply } = replies[behaviours[(event + nth) % behaviours.length] ?? "well"]
  const { status_code } = reply
  const exactly = takes + event * 16 + endpoint * 4 + nth
  return { takes: exactly, retry_after: delay, ok: status_code === 200, gone: status_code === 410, reply }
}

const decodeAsset = Schema.decodeUnknownSync(Asset.resource.create)
const decodeBody = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ name: Schema.NumberFromString }) })),
)

/** All deliveries of an account as the storage has them, by event and endpoint. */
const ledger = Effect.fnUntraced(function* (
  account_id: Id.AccountId,
  names: ReadonlyMap<Id.WebhookEndpointId, string>,
) {
  const [deliveries, events] = [yield* Deliveries, yield* Events]
  const pages = Array.from({ length: 3 }, (_, nth) => ({ page: nth + 1, per_page: 100 }))
  const told = yield* Effect.orDie(Effect.forEach(pages, (page) => events.list(account_id, page)))
  const numbers = new Map(
    told.flatMap(({ data }) => data.map(({ id, data }) => [id, "name" in data ? String(data.name) : ""])),
  )
  const rows = yield* Effect.forEach(pages, (page) => deliveries.list(account_id, page))
  return yield* Effect.forEach(
    rows.flatMap(({ data }) => data),
    ({ id }) =>
      Effect.map(Effect.orDie(deliveries.get(account_id, id)), ({ event_id, endpoint_id, status, attempts }) => {
        const began = attempts.map(({ number, started_at }) => `${number} at ${Date.parse(started_at)}`)
        return `${numbers.get(event_id)} to ${names.get(endpoint_id)}: ${status} ${began.join()}`
      }),
  )
})

/** Plays a scenario through with these limits. */
const play = Effect.fnUntraced(function* (
  scenario: Scenario,
  limits: Pick<Referee.Rules, "concurrency" | "per_endpoint" | "isPrompt">,
) {
  const happened: Array<Referee.Happening> = []
  const { layer } = World.receivers(({ url, body, at }, nth) => {
    const event = decodeBody(new TextDecoder().decode(body)).data.name
    const endpoint = scenario.endpoints.findIndex((_, endpoint) => urlOf(endpoint) === url)
    happened.push({ at, what: "attempt", event: `${event}`, endpoint: `${endpoint}` })
    const { takes, reply } = replyOf(scenario, endpoint, event, nth)
    return Effect.delay(Effect.succeed(reply), takes)
  })
  const { concurrency, per_endpoint, isPrompt } = limits
  const rules = { schedule, timeout_ms: TIMEOUT_MS, disable_after: 2, concurrency, per_endpoint }
  // Where each attempt has its time, nothing holds any back: a circuit that opens does so by chance.
  const window = isPrompt ? per_endpoint : defaults.window
  const circuit = { ...defaults.circuit, after: isPrompt ? Infinity : defaults.circuit.after }
  const account_id = yield* World.account
  const names = new Map<Id.WebhookEndpointId, string>()
  for (const endpoint of scenario.endpoints.keys()) {
    const { id } = yield* World.endpoint(account_id, urlOf(endpoint))
    names.set(id, `${endpoint}`)
  }
  const start = Effect.gen(function* () {
    happened.push({ at: yield* Clock.currentTimeMillis, what: "start" })
    return yield* World.start(layer, { ...rules, circuit, window, poll_ms: HOUR })
  })
  const assets = yield* Assets
  let event = 0
  let stop: Effect.Effect<void> | null = yield* start
  for (const { after, what } of scenario.steps) {
    yield* TestClock.adjust(after)
    if (typeof what === "string") {
      if (stop === null) continue
      happened.push({ at: yield* Clock.currentTimeMillis, what: "stop" })
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust(TIMEOUT_MS + 6_000)
      yield* Fiber.join(stopping)
      const { list } = yield* Deliveries
      const { meta } = yield* list(account_id, { page: 1, per_page: 1, status: "delivering" })
      assert.strictEqual(meta.total, 0, "nothing is held by a dispatcher that has ended")
      stop = null
      continue
    }
    for (let nth = 0; nth < what; nth++) {
      happened.push({ at: yield* Clock.currentTimeMillis, what: "event", event: `${++event}` })
      yield* Effect.orDie(assets.create(account_id, decodeAsset({ name: `${event}`, asset_type: "clipart" })))
      yield* TestClock.adjust(0)
    }
    stop ??= yield* start
    yield* TestClock.adjust(1)
  }
  stop ??= yield* start
  yield* TestClock.adjust(isPrompt ? HOUR : 8 * HOUR)
  yield* stop
  const referee = new Referee.Referee(
    {
      ...rules,
      ...limits,
      answers: (endpoint) => !scenario.endpoints[Number(endpoint)]?.includes("hangs"),
      replyOf: ({ event, endpoint, began }) => replyOf(scenario, Number(endpoint), Number(event), began.length),
    },
    [...names.values()],
  ).play(happened)
  assert.strictEqual(referee.wrong.join("\n"), "")
  const expected = referee.deliveries.map(
    ({ event, endpoint, status, began }) =>
      `${event} to ${endpoint}: ${status} ${began.map((at, nth) => `${nth + 1} at ${at}`).join()}`,
  )
  assert.sameMembers(yield* ledger(account_id, names), expected)
  for (const [id, name] of names) {
    const { status, consecutive_failures } = yield* Effect.orDie((yield* WebhookEndpoints).get(account_id, id))
    const { active, failures } = referee.endpoints.get(name)!
    assert.deepStrictEqual([status, consecutive_failures], [active ? "active" : "auto-disabled", failures])
  }
})

const options = { timeout: 600_000, arbitrary: { runs: 100, size: 40 } }

describe("whatever receivers do and whenever the dispatcher is restarted, the ledger is exact", () => {
  it.effect.prop(
    "and where there is room each attempt begins when it is due",
    [Scenario],
    ([scenario]) =>
      play(scenario, { concurrency: 1_000, per_endpoint: 1_000, isPrompt: true }).pipe(Effect.provide(World.storage)),
    options,
  )
  it.effect.prop(
    "and where there is little no cap is exceeded, and first attempts do not wait behind retries",
    [Scenario],
    ([scenario]) =>
      play(scenario, { concurrency: 4, per_endpoint: 2, isPrompt: false }).pipe(Effect.provide(World.storage)),
    options,
  )
})
