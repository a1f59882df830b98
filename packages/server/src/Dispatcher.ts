/** Delivers: it takes what is due, makes the attempts, writes what came of them, and leaves nothing behind when it ends. */
import { Deliveries, type Settlement } from "@tc/store"
import { Clock, Context, Effect, Exit, Fiber, Layer, LogLevel, References, type Scope } from "effect"
import { Attempts } from "./Attempts.ts"
import * as Claimer from "./Claimer.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliverySettings } from "./DeliverySettings.ts"
import { Lanes } from "./Lanes.ts"
import * as Lease from "./Lease.ts"
import { Mailbox } from "./Mailbox.ts"
import * as Outcome from "./Outcome.ts"
import * as Settler from "./Settler.ts"
import * as Starter from "./Starter.ts"

/** Deliveries that wait in this process at most, for each attempt that may be under way. */
const WAITING_PER_SLOT = 8
/** Characters of payload that wait in this process before it takes no more. */
const WAITING_MAX_CHARACTERS = 64 * 1024 * 1024
/** Characters of payload under way at once, before no more attempts begin. */
const UNDER_WAY_MAX_CHARACTERS = 128 * 1024 * 1024
/** Results that wait to be written, for each attempt that may be under way, before no more attempts begin. */
const UNWRITTEN_PER_SLOT = 4
/** Milliseconds between two looks at the queue as a whole. */
const STATS_MS = 10_000
/** Milliseconds for which a shutdown waits for attempts beyond their deadline, and for the storage. */
const GRACE_MS = 5_000

/** Says in a log which delivery it is about: never its payload, nor its secret. */
const about = ({ account_id, endpoint_id, id }: Settlement["job"]) =>
  Effect.annotateLogs({ account_id, endpoint_id, delivery_id: id })

/** Waits for something, though not for longer, even while a scope closes. */
const wait = (until: Effect.Effect<unknown>, millis: number) =>
  Effect.timeoutOption(Effect.interruptible(until), millis)

const make: Effect.Effect<void, never, Deliveries | Attempts | Mailbox | Scope.Scope> = Effect.gen(function* () {
  const settings = yield* DeliverySettings
  const { concurrency, per_endpoint, timeout_ms, schedule, disable_after } = settings
  const deliveries = yield* Deliveries
  const attempts = yield* Attempts
  const mailbox = yield* Mailbox
  const clock = yield* Clock.Clock
  const context = yield* Effect.context()
  const metrics = DeliveryMetrics.make(context)
  const log = (message: Effect.Effect<void>, job: Settlement["job"]) =>
    Effect.runForkWith(context)(message.pipe(about(job)))
  const isVerbose = !LogLevel.isGreaterThan(Context.get(context, References.MinimumLogLevel), "Debug")
  const capacity = WAITING_PER_SLOT * Math.max(concurrency, per_endpoint)
  const lanes = new Lanes<Lease.Held>({ concurrency, per_endpoint, capacity, characters: UNDER_WAY_MAX_CHARACTERS })
  const now = () => clock.currentTimeMillisUnsafe()
  let closing = false

  const settler = yield* Settler.make({
    disable_after,
    settled: ({ job, outcome }, held) => {
      metrics.settled(outcome, held)
      if (typeof outcome === "object") claimer.expect(Date.parse(outcome.retry_at))
      if (!held) log(Effect.logDebug("a result was not taken, its lease was over"), job)
      else if (outcome === "exhausted") log(Effect.logWarning("a delivery has used all its attempts"), job)
    },
    disabled: ({ job }) => {
      log(Effect.logWarning("deliveries in a row have used all their attempts, the endpoint is disabled"), job)
      // What waits for it is canceled by the storage, once it has it back.
      claimer.giveBack(lanes.clear(job))
    },
    changed: () => starter.schedule(),
  })
  const isWriting = () => !settler.failing() && settler.pending() < UNWRITTEN_PER_SLOT * concurrency
  /** Whether more deliveries may be taken, and this share of the room left free. */
  const isOpen = (share: number) =>
    !closing && isWriting() && lanes.room > capacity * share && lanes.characters < WAITING_MAX_CHARACTERS

  const claimer: Claimer.Claimer = yield* Claimer.make({
    lanes,
    clock,
    settings,
    isOpen: () => isOpen(1 / 4),
    bytes: () => WAITING_MAX_CHARACTERS - lanes.characters,
    isClosing: () => closing,
    take: (jobs) => {
      starter.take(jobs)
      starter.pump()
    },
  })
  const starter: Starter.Starter = Starter.make({
    lanes,
    clock,
    context,
    attempt: (job) =>
      isVerbose
        ? Effect.tap(attempts.make(job), (answer) =>
            Effect.logDebug("an attempt was made").pipe(
              Effect.annotateLogs({ event: job.event, attempt: job.attempt, ending: Outcome.ending(answer) }),
              about(job),
            ),
          )
        : attempts.make(job),
    isOpen: () => !closing && isWriting(),
    began: () => metrics.started(lanes.underWay),
    ended: (job, exit) => {
      if (Exit.isSuccess(exit)) {
        const outcome = Outcome.decide(schedule, job, exit.value, now())
        metrics.ended(lanes.underWay, Outcome.ending(exit.value), exit.value.duration_ms)
        settler.add(Outcome.settlement(job, exit.value, outcome))
      } else if (closing) claimer.giveBack([job])
      else log(Effect.logError("no attempt could be made", exit.cause), job)
      claimer.ended(job)
    },
    gaveUp: claimer.giveBack,
    rested: claimer.rested,
  })

  const receiver = Lease.receiver({
    timeout_ms,
    now,
    isOpen: () => isOpen(1 / 2),
    take: (jobs) => (closing ? claimer.giveBack(jobs) : starter.take(jobs)),
    wake: claimer.wake,
    recall: (endpoint) => claimer.giveBack(lanes.clear(endpoint)),
  })
  const claiming = yield* Effect.forkScoped(claimer.run)
  yield* deliveries.stats.pipe(
    Effect.map((stats) => metrics.queue(stats, now())),
    Effect.catchCause((cause) => Effect.logDebug("the queue cannot be looked at now", cause)),
    Effect.andThen(Effect.sleep(STATS_MS)),
    Effect.forever,
    Effect.forkScoped,
  )
  mailbox.bind(receiver)

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      closing = true
      claimer.wake()
      yield* wait(Fiber.await(claiming), GRACE_MS)
      claimer.giveBack(lanes.sweep(() => true))
      yield* wait(claimer.flush, GRACE_MS)
      yield* wait(starter.landed, timeout_ms + GRACE_MS)
      yield* starter.interrupt
      yield* wait(settler.drained, GRACE_MS)
      mailbox.bind(null)
      yield* wait(claimer.flush, GRACE_MS)
    }),
  )
})

/** Delivers for as long as its scope is open; several processes may on the same storage. */
export const layer: Layer.Layer<never, never, Deliveries | Attempts | Mailbox> = Layer.effectDiscard(make)
