/**
 * Fairness in one process, on the structures that decide it and with a clock of its own: what healthy endpoints feel of many
 * that never answer, or slowly. Guards are also taken away, to show what they are for.
 */
import { assert, describe, it } from "@effect/vitest"
import { Id } from "@tc/domain"
import { Circuits } from "../../src/Circuits.ts"
import { defaults } from "../../src/DeliverySettings.ts"
import * as Lane from "../../src/Lane.ts"
import { Lanes } from "../../src/Lanes.ts"
import * as Lease from "../../src/Lease.ts"

interface Item extends Lane.Item {
  readonly account_id: Id.AccountId
  readonly endpoint_id: Id.WebhookEndpointId
  readonly id: string
  /** When it came, in milliseconds since the beginning. */
  readonly at: number
  readonly is_dead: boolean
}

interface World {
  readonly concurrency: number
  readonly per_endpoint: number
  /** Attempts at first to an endpoint that has not answered yet. */
  readonly window: number
  /** Attempts without an answer in a row that open a circuit. */
  readonly after: number
  /** The troublesome endpoints: how many, the retries to each that are due in the beginning, and their events in a second, together. */
  readonly dead: { readonly endpoints: number; readonly due: number; readonly per_second: number }
  /** Milliseconds until they answer; `null` if they never do. */
  readonly slow_ms: number | null
  /** Milliseconds until the first event to one that answers. */
  readonly quiet_ms: number
  /** Endpoints that answer, after so many milliseconds, and their events in a second, together. */
  readonly healthy: { readonly endpoints: number; readonly takes_ms: number; readonly per_second: number }
  readonly seconds: number
}

/** Milliseconds between two looks at the queue, and what one brings at most. */
const LOOK_MS = 100
const CLAIM_MAX = 256

const account_id = Id.AccountId.id.make("0198a3f0-7c1e-7b6a-9d55-000000000001")
const endpointOf = (nth: number) => {
  const endpoint_id = Id.WebhookEndpointId.id.make(`0198a3f0-7c1e-7b6a-9d55-${String(nth).padStart(12, "0")}`)
  return { account_id, endpoint_id, lane: Lane.nameOf({ account_id, endpoint_id }) }
}

/**
 * What healthy endpoints got: how many, and what 99 of 100 had within, in milliseconds from event to answer. And the slots
 * that the others held on average in the second half.
 */
const run = ({ after, concurrency, dead, healthy, per_endpoint, quiet_ms, seconds, slow_ms, window }: World) => {
  const capacity = 8 * concurrency
  const lanes = new Lanes<Item>({ concurrency, per_endpoint, capacity, characters: Infinity, window })
  const circuits = new Circuits({ ...defaults.circuit, after, probe_ms: Lease.least(defaults.timeout_ms) }, () => 0.5)
  const living = Array.from({ length: healthy.endpoints }, (_, nth) => endpointOf(nth))
  const dying = Array.from({ length: dead.endpoints }, (_, nth) => ({
    ...endpointOf(1_000 + nth),
    due: dead.due,
  }))
  const byLane = new Map(dying.map((one) => [one.lane, one]))
  const ends = new Map<number, Array<Item>>()
  const latencies: Array<number> = []
  let refused: Array<Item> = []
  let ids = 0
  let turn = 0
  let held = 0

  const item = (
    { lane, endpoint_id }: (typeof living)[number],
    at: number,
    attempt: number,
    is_dead: boolean,
  ): Item => ({
    account_id,
    endpoint_id,
    lane,
    attempt,
    at,
    is_dead,
    id: String(ids++),
    tail: "",
  })
  const add = (one: Item) => {
    if (lanes.add(one)) return true
    if (!one.is_dead) refused.push(one)
    return false
  }
  /** A delivery to a dead endpoint that is not attempted waits in the queue. */
  const offer = (one: Item, now: number) => {
    const its = byLane.get(one.lane)
    if (circuits.hold(one.lane, one.id, now) !== null || !add(one)) its!.due += 1
  }
  const probe = (now: number) => {
    for (const { ready, ...endpoint } of circuits.list(now)) {
      const its = byLane.get(Lane.nameOf(endpoint))
      if (!ready || its === undefined || its.due === 0) continue
      const one = item(its, now, 2, true)
      circuits.begin(its.lane, one.id, now)
      if (add(one)) its.due -= 1
    }
  }
  const claim = (now: number) => {
    if (lanes.room <= capacity / 4) return
    const allowance = lanes.allowance
    const left_out = new Set([...lanes.supplied, ...circuits.list(now)].map(Lane.nameOf))
    let left = Math.min(CLAIM_MAX, lanes.free)
    for (let seen = 0; seen < dying.length && left > 0; seen++) {
      const its = pick(dying, turn++)
      if (left_out.has(its.lane)) continue
      const count = Math.min(allowance, left, its.due)
      left -= count
      its.due -= count
      for (let nth = 0; nth < count; nth++) offer(item(its, now, 2, true), now)
    }
  }
  const end = (one: Item, now: number) => {
    lanes.done(one, !one.is_dead || slow_ms !== null)
    if (!one.is_dead) return void latencies.push(now - one.at)
    if (slow_ms !== null) return
    byLane.get(one.lane)!.due += 1
    if (circuits.ended(one, one.id, false, now) === "opened") byLane.get(one.lane)!.due += lanes.clear(one.lane).length
  }

  for (let now = 0; now < seconds * 1_000; now++) {
    for (const one of ends.get(now) ?? []) end(one, now)
    ends.delete(now)
    for (let nth = now < quiet_ms ? 0 : due(now, healthy.per_second); nth > 0; nth--)
      add(item(pick(living, ids), now, 1, false))
    for (let nth = due(now, dead.per_second); nth > 0; nth--) offer(item(pick(dying, ids), now, 1, true), now)
    if (now % LOOK_MS === 0) {
      for (const one of refused.splice(0)) add(one)
      probe(now)
      claim(now)
    }
    for (let one = lanes.take(); one !== undefined; one = lanes.take()) {
      const takes_ms = one.is_dead ? (slow_ms ?? defaults.timeout_ms) : healthy.takes_ms
      if (one.is_dead && now >= seconds * 500) held += takes_ms / (seconds * 500)
      const at = now + takes_ms
      const its = ends.get(at)
      if (its === undefined) ends.set(at, [one])
      else its.push(one)
    }
  }
  const sorted = latencies.toSorted((left, right) => left - right)
  return { count: sorted.length, p99: sorted[Math.floor(sorted.length * 0.99)] ?? Infinity, held }
}

const pick = <A>(from: ReadonlyArray<A>, nth: number): A => {
  const found = from[nth % from.length]
  if (found === undefined) throw new Error("there is none")
  return found
}

/** How many of so many in a second come in this millisecond. */
const due = (now: number, per_second: number): number =>
  Math.floor(((now + 1) * per_second) / 1_000) - Math.floor((now * per_second) / 1_000)

/** As a process is by default: 100,000 retries are due to 200 endpoints that never answer, and more comes for them. */
const world: World = {
  concurrency: defaults.concurrency,
  per_endpoint: defaults.per_endpoint,
  window: defaults.window,
  after: defaults.circuit.after,
  dead: { endpoints: 200, due: 500, per_second: 100 },
  slow_ms: null,
  quiet_ms: 0,
  healthy: { endpoints: 50, takes_ms: 50, per_second: 1_000 },
  seconds: 60,
}

/** More comes for them than they can take: they answer in time, but late. */
const slow: World = { ...world, dead: { endpoints: 20, due: 0, per_second: 1_000 }, slow_ms: 2_000, seconds: 30 }

/** A small process, which has nothing but retries to do at first, and its circuits are still closed. */
const small: World = {
  ...world,
  concurrency: 128,
  per_endpoint: 8,
  dead: { endpoints: 200, due: 500, per_second: 0 },
  healthy: { endpoints: 20, takes_ms: 50, per_second: 300 },
  quiet_ms: 5_000,
}

const isFair = (its: World): boolean => {
  const [with_dead, without] = [run(its), run({ ...its, dead: { endpoints: 0, due: 0, per_second: 0 } })]
  return with_dead.p99 <= 1.5 * without.p99 && with_dead.count >= 0.9 * without.count
}

describe("endpoints that answer", () => {
  it("feel next to nothing of 200 that never do, from the beginning on", () => assert.isTrue(isFair(world)))
  it("would feel them if endpoints began with all that they may have", () =>
    assert.isFalse(isFair({ ...world, window: Infinity })))
  it("feel next to nothing of those that take their time", () => assert.isTrue(isFair(slow)))
  it("find slots that retries cannot have, also where others would fill all slots of the process", () =>
    assert.isTrue(isFair(small)))
})

describe("an endpoint that takes its time", () => {
  const one = { ...slow, dead: { ...slow.dead, endpoints: 1 } }
  it("holds no more than its cap", () => assert.isAtMost(run(one).held, one.per_endpoint))
  it("would hold very many slots without it", () =>
    assert.isAbove(run({ ...one, per_endpoint: one.concurrency }).held, 300))
})

describe("endpoints that never answer", () => {
  const long = { ...world, healthy: { ...world.healthy, per_second: 0 }, seconds: 300 }
  it("hold fewer than half as many slots as there are of them, once their circuits are open", () =>
    assert.isBelow(run(long).held, 100))
  it("would hold two slots each if they were tried on and on", () =>
    assert.isAbove(run({ ...long, after: Infinity }).held, 300))
})
