/** Fetches due deliveries from the queue, as many as there is room for, and gives back those that cannot be attempted. */
import { type Claim, type ClaimRequest, Deliveries, type Endpoint, type Job } from "@tc/store"
import { type Clock, Effect, Latch } from "effect"
import type { Settings } from "./DeliverySettings.ts"
import type { Lanes } from "./Lanes.ts"
import * as Lease from "./Lease.ts"

export interface Options {
  readonly lanes: Lanes<Lease.Held>
  readonly clock: Clock.Clock
  readonly settings: Settings
  /** Bytes of payload that there is room for. */
  readonly bytes: () => number
  /** Whether more deliveries may be taken now. */
  readonly isOpen: () => boolean
  /** Whether the work is over, and nothing more is to be done than giving back. */
  readonly isClosing: () => boolean
  /** Takes what was claimed, and starts what may be started at once. */
  readonly take: (jobs: ReadonlyArray<Lease.Held>) => void
}

export interface Claimer {
  /** Looks again now. */
  readonly wake: () => void
  /** Gives deliveries back soon: they are due then, for whoever has room. */
  readonly giveBack: (jobs: ReadonlyArray<Job>) => void
  /** An attempt to this endpoint has ended. */
  readonly ended: (endpoint: Endpoint) => void
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
/** What `poll_ms` is when it is not set. */
const POLL_MS = 1_000
/** Milliseconds within which deliveries are given back, many together. */
const GIVE_BACK_MS = 100
/** Milliseconds between tries while the storage cannot be reached: doubled from the first to the last. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_LAST_MS = 5_000

const keyOf = ({ account_id, endpoint_id }: Endpoint): string => `${account_id}/${endpoint_id}`

export const make = Effect.fnUntraced(function* (options: Options) {
  const { lanes, clock, settings, isOpen, isClosing, take } = options
  const deliveries = yield* Deliveries
  const { timeout_ms, poll_ms = POLL_MS } = settings
  const hasRoom = () => lanes.free > 0 && isOpen()
  const bell = Latch.makeUnsafe(false)
  const unwanted: Array<Job> = []
  /** Endpoints of which the latest claim may have left due deliveries behind. */
  let behind = new Set<string>()
  /** Whether the latest look found no room for more. */
  let isFull = false
  /** When to look again, in milliseconds since 1970; 0 for now. */
  let look_at = 0
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
    return millis <= 0 ? Effect.void : Effect.andThen(Effect.timeoutOption(bell.await, millis), rest)
  })

  const flush = Effect.suspend(() => {
    const jobs = unwanted.splice(0)
    if (jobs.length === 0) return Effect.void
    return deliveries
      .release(jobs)
      .pipe(
        Effect.catchCause((cause) => Effect.logDebug("deliveries cannot be given back; their leases run out", cause)),
      )
  })

  const received = ({ jobs, next_due_at }: Claim, request: ClaimRequest, leased_at: number): void => {
    const { limit, max_bytes, per_endpoint } = request
    const bytes = jobs.reduce((sum, { tail }) => sum + tail.length, 0)
    failures = 0
    const capped = [...Map.groupBy(jobs, keyOf)].filter(([, its]) => its.length >= per_endpoint)
    for (const [key] of capped) behind.add(key)
    take(jobs.map((job) => Lease.hold(job, leased_at)))
    // Where there may be more, it is asked for at once; what is due already and was not given is not to be had.
    if (jobs.length >= limit || capped.length > 0 || bytes > max_bytes / 2) expect(0)
    else if (next_due_at !== null && next_due_at > clock.currentTimeMillisUnsafe()) expect(next_due_at)
  }

  const claim = Effect.suspend(() => {
    const now = clock.currentTimeMillisUnsafe()
    look_at = now + poll_ms
    isFull = !hasRoom()
    if (isFull) return Effect.void
    const per_endpoint = lanes.allowance
    // A full set of attempts under way and another waiting is all that one endpoint needs.
    const saturated = lanes.loaded(2 * per_endpoint)
    behind = new Set(saturated.map(keyOf))
    const limit = Math.min(BATCH_MAX, lanes.free)
    const max_bytes = options.bytes()
    const request = { limit, per_endpoint, max_bytes, saturated, lease_ms: Lease.duration(timeout_ms) }
    return deliveries.claim(request).pipe(
      Effect.map((claimed) => received(claimed, request, now)),
      Effect.catchCause((cause) => {
        look_at = clock.currentTimeMillisUnsafe() + Math.min(BACKOFF_FIRST_MS * 2 ** failures++, BACKOFF_LAST_MS)
        return Effect.logWarning("deliveries cannot be claimed now", cause)
      }),
    )
  })

  const step = Effect.gen(function* () {
    const now = clock.currentTimeMillisUnsafe()
    unwanted.push(...lanes.sweep((job) => job.start_before <= now))
    yield* flush
    yield* claim
    if (!isClosing()) yield* rest
  })

  const wake = () => expect(0)
  const claimer: Claimer = {
    wake,
    expect,
    giveBack: (jobs) => {
      unwanted.push(...jobs)
      expect(clock.currentTimeMillisUnsafe() + GIVE_BACK_MS)
    },
    ended: (endpoint) => {
      if (behind.has(keyOf(endpoint)) && lanes.load(endpoint) <= lanes.allowance) wake()
    },
    rested: () => {
      if (isFull && hasRoom()) wake()
    },
    run: Effect.whileLoop({ while: () => !isClosing(), body: () => step, step: () => {} }),
    flush,
  }
  return claimer
})
