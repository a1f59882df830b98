/** What a history is played on: a clock that the history moves, and the receiving end of the hand-over. */
import { Clock, Context, Effect, Layer } from "effect"
import type { Endpoint, Job } from "../Deliveries.ts"
import { Handoff } from "../Handoff.ts"
import type { Birth } from "./Model.ts"

/** When the first history begins. */
const START = Date.UTC(2026, 10, 1)

export class Stage extends Context.Service<
  Stage,
  {
    readonly now: () => number
    readonly pass: (millis: number) => void
    /** Starts over: from now on deliveries are born like this, and nothing was told. */
    readonly receive: (birth: Birth) => void
    /** A lease is given that ends then. */
    readonly lease: (until: number) => void
    /** Whether this is the end, between two times, of a lease that was given. */
    readonly isEnd: (at: number | null, after: number, before: number | null) => boolean
    readonly offered: ReadonlyArray<Job>
    readonly recalled: ReadonlyArray<Endpoint>
    readonly woken: () => boolean
  }
>()("@tc/store/testing/Stage") {
  /** The stage, and its clock and its receiver for the storage that is built on it. */
  static readonly layer: Layer.Layer<Stage> = Layer.effectContext(
    Clock.clockWith((live) => Effect.sync(() => make(live))),
  )
}

const make = (live: Clock.Clock) => {
  const offered: Array<Job> = []
  const recalled: Array<Endpoint> = []
  const ends = new Set<number>()
  let now = START
  let woken = false
  let birth: Birth = { lease: null, lease_ms: 0, delay_ms: 0 }
  const stage = Stage.of({
    now: () => now,
    pass: (millis) => void (now += millis),
    receive: (next) => {
      birth = next
      woken = false
      offered.length = 0
      recalled.length = 0
    },
    lease: (until) => void ends.add(until),
    isEnd: (at, after, before) => at !== null && ends.has(at) && at > after && at < (before ?? Infinity),
    offered,
    recalled,
    woken: () => woken,
  })
  const handoff: Handoff = {
    get delay_ms() {
      return birth.delay_ms
    },
    lease: (at) => {
      if (birth.lease === null) return null
      const lease_until = at + birth.lease_ms
      stage.lease(lease_until)
      return { lease: birth.lease, lease_until }
    },
    offer: (jobs) => void offered.push(...jobs),
    wake: () => void (woken = true),
    recall: (endpoint) => void recalled.push(endpoint),
  }
  return Context.make(Stage, stage).pipe(
    Context.add(Handoff, handoff),
    Context.add(
      Clock.Clock,
      moved(live, () => now),
    ),
  )
}

/**
 * A clock whose time of day is given. Sleeps last as long as ever: a pool of connections does not live through the leaps of
 * a clock that wakes its sleepers.
 */
export const moved = (
  live: Clock.Clock,
  now: () => number,
  sleep: Clock.Clock["sleep"] = (duration) => live.sleep(duration),
): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: live.monotonicTimeNanos,
  sleep,
})
