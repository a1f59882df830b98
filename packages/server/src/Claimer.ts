/** Fetches due deliveries from the queue, as many as there is room for, and gives back those that cannot be attempted. */
import { type Claim, type ClaimRequest, Deliveries, type Endpoint, type Job, type Released } from "@tc/store"
import { type Clock, Effect, Latch } from "effect"
import type { Breaker } from "./Breaker.ts"
import type { Capacity } from "./Capacity.ts"
import type { Settings } from "./DeliverySettings.ts"
import * as Lane from "./Lane.ts"
import * as Lease from "./Lease.ts"
import { Quarantine } from "./Quarantine.ts"
import { Recalls } from "./Recalls.ts"

export interface Options {
  readonly breaker: Breaker
  readonly capacity: Capacity
  readonly clock: Clock.Clock
  readonly settings: Settings
  /** Takes what was claimed, and starts what may be started at once. */
  readonly take: (jobs: ReadonlyArray<Lease.Held>) => void
  /** The same for probes, which no circuit holds back. */
  readonly pass: (jobs: ReadonlyArray<Lease.Held>) => void
  /** Called with how many deliveries of a claim were under a lease that had run out. */
  readonly expired: (leases: number) => void
}

export interface Claimer {
  /** Looks again now. */
  readonly wake: () => void
  /** Gives deliveries back soon: they are due then, for whoever has room, or when they say. */
  readonly giveBack: (jobs: ReadonlyArray<Released>) => void
  /** Gives back what is out of date, and answers the rest. */
  readonly admit: (jobs: ReadonlyArray<Lease.Held>) => ReadonlyArray<Lease.Held>
  /** How many recalls there have been. */
  readonly recalls: () => number
  /** Gives back what waits here for an endpoint, and what is on its way here: it may be out of date. */
  readonly recall: (endpoint: Endpoint) => void
  /** Leaves an endpoint to other processes for a while. Answers whether that is news. */
  readonly avoid: (endpoint: Endpoint) => boolean
  /** An attempt has ended. */
  readonly ended: (job: Lease.Held) => void
  /** All is started that may be. */
  readonly rested: () => void
  /** A delivery is due then, in milliseconds since 1970. */
  readonly expect: (due_at: number) => void
  /** Claims until the work is over. */
  readonly run: Effect.Effect<void>
  /** Gives back what is left. */
  readonly flush: Effect.Effect<void>
}

/** Deliveries in one claim at most. */
const BATCH_MAX = 256
/** An endpoint that ends a full set within so many milliseconds gets as many as there are in one claim. */
const QUICK_MS = 250
/** Milliseconds in which a delivery begins that goes at a rate: what waited for long would go with those that come after. */
const PACED_MS = 100
/** Milliseconds until the next look where one saw nothing but deliveries that are not to be had. */
const MORE_MS = 25
/** Milliseconds within which deliveries are given back, many together. */
const GIVE_BACK_MS = 100
/** Deliveries given back at once, and milliseconds until the next: where many endpoints stop answering, others go on. */
const GIVE_BACK_MAX = 250
const GIVE_BACK_PAUSE_MS = 50
/** Milliseconds between tries while the storage cannot be reached: doubled from the first to the last. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_LAST_MS = 5_000

export const make = Effect.fnUntraced(function* (options: Options) {
  const { breaker, capacity, clock, settings, take, pass, expired } = options
  const { lanes } = capacity
  const deliveries = yield* Deliveries
  const { timeout_ms, poll_ms } = settings
  /** No look is further away than this, unless the clock was set back. */
  const longest_ms = Math.max(poll_ms, BACKOFF_LAST_MS)
  const hasRoom = () => lanes.free > 0 && capacity.hasRoomToClaim
  const bell = Latch.makeUnsafe(false)
  const unwanted: Array<Released> = []
  /** Lanes of which the latest claim may have left due deliveries behind, and since when they have a full set. */
  let behind = new Map<string, number>()
  /** Endpoints that ended theirs soon, since the latest claim. */
  const quick = new Map<string, Endpoint>()
  const recalls = new Recalls()
  const quarantine = new Quarantine()
  /** Whether the latest look found no room for more. */
  let isFull = false
  /** When to look again, in milliseconds since 1970; 0 for now. */
  let look_at = 0
  /** When endpoints are to be probed next. */
  let probe_at = Infinity
  let failures = 0

  const expect = (due_at: number): void => {
    if (due_at >= look_at) return
    look_at = due_at
    // Not at once: whoever tells of it may be in the midst of something.
    queueMicrotask(() => bell.openUnsafe())
  }

  /** Waits until it is time to look again, which may come sooner than it seemed at first. */
  const rest: Effect.Effect<void> = Effect.suspend(() => {
    bell.closeUnsafe()
    const millis = look_at - clock.currentTimeMillisUnsafe()
    const isTime = millis <= 0 || millis > longest_ms
    return isTime ? Effect.void : Effect.andThen(Effect.timeoutOption(bell.await, millis), rest)
  })

  const release = Effect.suspend(() => {
    const jobs = unwanted.splice(0, GIVE_BACK_MAX)
    if (jobs.length === 0) return Effect.void
    return deliveries
      .release(jobs)
      .pipe(
        Effect.catchCause((cause) => Effect.logDebug("deliveries cannot be given back; their leases run out", cause)),
      )
  })

  const received = (
    { jobs: leased, expired: leases, next_due_at, more }: Claim,
    request: ClaimRequest,
    hold: (job: Job) => Lease.Held,
  ): void => {
    const { limit, max_bytes, per_endpoint } = request
    const soon = clock.currentTimeMillisUnsafe() + PACED_MS
    const jobs = leased.map((job) => Lease.within(hold(job), job.paced ? soon : Infinity))
    const bytes = jobs.reduce((sum, { tail }) => sum + tail.length, 0)
    failures = 0
    if (leases > 0) expired(leases)
    const capped = [...Map.groupBy(jobs, ({ lane }) => lane)].filter(([, its]) => its.length >= per_endpoint)
    for (const [lane] of capped) behind.set(lane, clock.currentTimeMillisUnsafe())
    take(jobs)
    // Where there may be more, it is asked for at once; what was due already and was not given is not to be had. What comes
    // next may have come while this was on its way.
    if (jobs.length >= limit || capped.length > 0 || bytes > max_bytes / 2) expect(0)
    else if (next_due_at !== null) expect(next_due_at)
    if (more) expect(jobs.length > 0 ? 0 : clock.currentTimeMillisUnsafe() + MORE_MS)
  }

  const claim = Effect.suspend(() => {
    const now = clock.currentTimeMillisUnsafe()
    look_at = now + poll_ms
    isFull = !hasRoom()
    if (isFull) return Effect.void
    const per_endpoint = lanes.allowance
    const { supplied } = lanes
    behind = new Map(supplied.map(Lane.nameOf).map((lane) => [lane, behind.get(lane) ?? now]))
    const saturated = [...supplied, ...quarantine.list(now), ...breaker.shut()]
    const limit = Math.min(BATCH_MAX, lanes.free)
    const max_bytes = capacity.characters
    const request = {
      limit,
      per_endpoint,
      max_bytes,
      quick: [...quick.values()],
      saturated,
      lease_ms: Lease.duration(timeout_ms, now),
    }
    const hold = Lease.holding(now, recalls.count)
    quick.clear()
    return deliveries.claim(request).pipe(
      Effect.map((claimed) => received(claimed, request, hold)),
      Effect.catchCause((cause) => {
        look_at = clock.currentTimeMillisUnsafe() + Math.min(BACKOFF_FIRST_MS * 2 ** failures++, BACKOFF_LAST_MS)
        return Effect.logWarning("deliveries cannot be claimed now", cause)
      }),
    )
  })

  const probe = Effect.suspend(() => {
    probe_at = Infinity
    if (!hasRoom()) return Effect.void
    const hold = Lease.holding(clock.currentTimeMillisUnsafe(), recalls.count)
    return breaker.probe(capacity.characters).pipe(
      Effect.map((jobs) => {
        pass(jobs.map(hold))
        probe_at = breaker.next_at()
      }),
      Effect.catchCause((cause) => Effect.logDebug("endpoints that do not answer cannot be probed now", cause)),
    )
  })

  const step = Effect.gen(function* () {
    const now = clock.currentTimeMillisUnsafe()
    unwanted.push(...lanes.sweep((job) => job.start_before <= now))
    yield* release
    yield* probe
    yield* claim
    expect(probe_at)
    if (unwanted.length > 0) expect(now + GIVE_BACK_PAUSE_MS)
    if (!capacity.closed) yield* rest
  })

  const admit = (jobs: ReadonlyArray<Lease.Held>): ReadonlyArray<Lease.Held> => {
    const outdated = jobs.filter((job) => recalls.isOutdated(job))
    if (outdated.length === 0) return jobs
    giveBack(outdated)
    return jobs.filter((job) => !recalls.isOutdated(job))
  }

  const giveBack = (jobs: ReadonlyArray<Released>): void => {
    if (jobs.length === 0) return
    unwanted.push(...jobs)
    expect(clock.currentTimeMillisUnsafe() + GIVE_BACK_MS)
  }

  const wake = () => expect(0)
  const claimer: Claimer = {
    wake,
    expect,
    giveBack,
    admit,
    recalls: () => recalls.count,
    recall: (endpoint) => {
      const lane = Lane.nameOf(endpoint)
      recalls.add(lane, clock.currentTimeMillisUnsafe())
      quarantine.remove(lane)
      breaker.forget(lane)
      giveBack(lanes.clear(lane))
    },
    avoid: (endpoint) => {
      giveBack(lanes.clear(Lane.nameOf(endpoint)))
      return quarantine.add(endpoint, clock.currentTimeMillisUnsafe())
    },
    ended: ({ lane, account_id, endpoint_id }) => {
      const since = behind.get(lane)
      if (since === undefined || !lanes.isShort(lane)) return
      if (clock.currentTimeMillisUnsafe() - since < QUICK_MS) quick.set(lane, { account_id, endpoint_id })
      wake()
    },
    rested: () => {
      if (isFull && lanes.free > 0 && capacity.hasRoomAgain) wake()
    },
    run: Effect.whileLoop({ while: () => !capacity.closed, body: () => step, step: () => {} }),
    flush: Effect.whileLoop({ while: () => unwanted.length > 0, body: () => release, step: () => {} }),
  }
  return claimer
})
