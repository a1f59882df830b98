/** Delivers: it takes what is due, makes the attempts, writes what came of them, and leaves nothing behind when it ends. */
import { Deliveries, type Tallies } from "@tc/store"
import { Cause, Clock, Effect, Exit, Fiber, Layer, type Scope } from "effect"
import { Attempts, type UnreadableSecret } from "./Attempts.ts"
import * as Breaker from "./Breaker.ts"
import { Capacity } from "./Capacity.ts"
import * as Claimer from "./Claimer.ts"
import * as DeliveryLog from "./DeliveryLog.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliverySettings } from "./DeliverySettings.ts"
import * as Lease from "./Lease.ts"
import { Mailbox } from "./Mailbox.ts"
import * as Outcome from "./Outcome.ts"
import type { Answer } from "./Sender.ts"
import * as Settler from "./Settler.ts"
import * as Starter from "./Starter.ts"
import * as Tallying from "./Tallying.ts"

/** Milliseconds between two looks at the queue as a whole. */
const STATS_MS = 10_000
/** Milliseconds that a shutdown takes at most beyond the timeout of an attempt, and that it waits for the storage at a time. */
const GRACE_MS = 5_000
/** Milliseconds of them for attempts that overrun their deadline. */
const OVERRUN_MS = 1_000

type Needs = Deliveries | Tallies | Attempts | Mailbox | Scope.Scope

const make: Effect.Effect<void, never, Needs> = Effect.gen(function* () {
  const settings = yield* DeliverySettings
  const { disable_after, schedule, timeout_ms } = settings
  const attempts = yield* Attempts
  const mailbox = yield* Mailbox
  const clock = yield* Clock.Clock
  const context = yield* Effect.context()
  const metrics = DeliveryMetrics.make(context)
  const log = DeliveryLog.make(context)
  const now = () => clock.currentTimeMillisUnsafe()
  /** By a clock that nobody sets. */
  const elapsed = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

  const tallying = yield* Tallying.make()
  const settler = yield* Settler.make({
    disable_after,
    settled: (settlement, written) => {
      const { outcome } = settlement
      metrics.settled(outcome, written, disable_after)
      log.settled(settlement, written, disable_after)
      if (written !== null) tallying.count(settlement)
      if (typeof outcome === "object") claimer.expect(Date.parse(outcome.retry_at))
    },
    changed: () => starter.schedule(),
  })
  const capacity = new Capacity(settings, settler)
  const { lanes } = capacity
  const breaker: Breaker.Breaker = yield* Breaker.make({
    capacity,
    clock,
    settings,
    giveBack: (jobs) => {
      metrics.deferred(jobs.length)
      claimer.giveBack(jobs)
    },
    opened: (endpoint) => {
      metrics.opened()
      metrics.circuits(breaker.counts())
      log.opened(endpoint)
      claimer.wake()
    },
    closed: (endpoint) => {
      metrics.circuits(breaker.counts())
      log.closed(endpoint)
      claimer.wake()
    },
  })
  const pass = (jobs: ReadonlyArray<Lease.Held>) =>
    capacity.closed ? claimer.giveBack(jobs) : starter.take(claimer.admit(jobs))
  const take = (jobs: ReadonlyArray<Lease.Held>) => pass(breaker.admit(jobs))
  const andPump = (take: (jobs: ReadonlyArray<Lease.Held>) => void) => (jobs: ReadonlyArray<Lease.Held>) => {
    take(jobs)
    starter.pump()
  }
  const claimer: Claimer.Claimer = yield* Claimer.make({
    breaker,
    capacity,
    clock,
    settings,
    take: andPump(take),
    pass: andPump(pass),
    expired: metrics.expired,
  })
  const made = (job: Lease.Held, answer: Answer): void => {
    const outcome = Outcome.decide(schedule, job, answer, now())
    metrics.ended(Outcome.ending(answer), answer.duration_ms)
    settler.add(Outcome.settlement(job, answer, outcome))
    breaker.ended(job, answer)
  }
  const notMade = (job: Lease.Held, cause: Cause.Cause<UnreadableSecret>): void => {
    if (capacity.closed) claimer.giveBack([job])
    else if (!Cause.hasFails(cause)) log.failed(job, cause)
    // Its lease runs out; what waits for its endpoint goes back now, for a process that has the right key.
    else if (claimer.avoid(job)) log.unreadable(job, cause)
  }
  const starter: Starter.Starter = Starter.make({
    capacity,
    clock,
    context,
    attempt: (job) => log.traced(job, attempts.make(job)),
    ended: (job, exit) => {
      if (Exit.isSuccess(exit)) made(job, exit.value)
      else notMade(job, exit.cause)
      claimer.ended(job)
    },
    gaveUp: claimer.giveBack,
    rested: () => {
      metrics.load(lanes.underWay, settler.pending())
      claimer.rested()
    },
  })

  const claiming = yield* Effect.forkScoped(claimer.run)
  yield* Effect.forkScoped(watch(metrics, breaker, now))
  const { recall, recalls, wake } = claimer
  mailbox.bind(Lease.receiver({ timeout_ms, now, isOpen: () => capacity.hasRoomToBear, take, recalls, wake, recall }))
  yield* Effect.addFinalizer(() =>
    end({ capacity, claimer, claiming, starter, settler, tallying, mailbox, timeout_ms, elapsed }),
  )
})

/** Looks at the circuits and at the queue as a whole now and then. */
const watch = (metrics: DeliveryMetrics.DeliveryMetrics, { counts }: Breaker.Breaker, now: () => number) =>
  Effect.flatMap(Deliveries, ({ stats }) =>
    Effect.andThen(
      Effect.sync(() => metrics.circuits(counts())),
      stats,
    ).pipe(
      Effect.map((stats) => metrics.queue(stats, now())),
      Effect.catchCause((cause) => Effect.logDebug("the queue cannot be looked at now", cause)),
      Effect.andThen(Effect.sleep(STATS_MS)),
      Effect.forever,
    ),
  )

interface Parts {
  readonly capacity: Capacity
  readonly claimer: Claimer.Claimer
  readonly claiming: Fiber.Fiber<void>
  readonly starter: Starter.Starter
  readonly settler: Settler.Settler
  readonly tallying: Tallying.Tallying
  readonly mailbox: Mailbox["Service"]
  readonly timeout_ms: number
  readonly elapsed: () => number
}

/** Lets attempts under way end, writes what came of them and gives back the rest, within the timeout and the grace in all. */
const end = Effect.fnUntraced(function* (parts: Parts) {
  const { capacity, claimer, claiming, starter, settler, tallying, mailbox, timeout_ms, elapsed } = parts
  const deadline = elapsed() + timeout_ms + GRACE_MS
  /** Waits for something, though not for longer, even while a scope closes. */
  const wait = (until: Effect.Effect<unknown>, millis: number) =>
    Effect.timeoutOption(Effect.interruptible(until), Math.max(0, Math.min(millis, deadline - elapsed())))
  const both = { concurrency: 2, discard: true } as const
  capacity.closed = true
  claimer.giveBack(capacity.lanes.sweep(() => true))
  claimer.wake()
  const givenBack = wait(Effect.andThen(Fiber.await(claiming), claimer.flush), GRACE_MS)
  yield* Effect.all([givenBack, wait(starter.landed, timeout_ms + OVERRUN_MS)], both)
  yield* wait(starter.interrupt, OVERRUN_MS)
  yield* wait(Effect.all([settler.drained, claimer.flush], both), GRACE_MS)
  mailbox.bind(null)
  yield* wait(Effect.all([claimer.flush, tallying.flush], both), GRACE_MS)
})

/** Delivers for as long as its scope is open; several processes may on the same storage. */
export const layer: Layer.Layer<never, never, Deliveries | Tallies | Attempts | Mailbox> = Layer.effectDiscard(make)
