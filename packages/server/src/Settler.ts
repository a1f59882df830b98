/** Writes the results of attempts, many at a time, and keeps them for as long as the storage cannot be reached. */
import { Deliveries, type Settlement, Unavailable, type Written } from "@tc/store"
import { Streak } from "@tc/webhooks"
import { Cause, Effect, Exit, Latch, MutableList, type Scope } from "effect"

export interface Settler {
  /** Takes the result of an attempt; it is written as soon as the results before it are. */
  readonly add: (settlement: Settlement) => void
  /** How many results are not written yet. */
  readonly pending: () => number
  /** Whether the storage refused the latest try. */
  readonly failing: () => boolean
  /** Ends when all results are written. */
  readonly drained: Effect.Effect<void>
}

export interface Options {
  /** Deliveries exhausted in a row that disable an endpoint. */
  readonly disable_after: number
  /** Called for each result: what it came to; null where its lease was over and it was not written. */
  readonly settled: (settlement: Settlement, written: Written | null) => void
  /** Called after each batch, written or refused. */
  readonly changed: () => void
}

/** Results written in one transaction at most. */
const BATCH_MAX = 200
/** Milliseconds between tries: doubled from the first to the last. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_LAST_MS = 5_000
/** How often a batch is tried as a whole during an outage. */
const TRIES_WHOLE = 8
/** How often a result is tried that the storage refuses though it can be reached. */
const TRIES_ALONE = 5

/** Starts the one fiber that writes; it ends with the scope, written or not. */
export const make = Effect.fnUntraced(function* (
  options: Options,
): Effect.fn.Return<Settler, never, Deliveries | Scope.Scope> {
  const deliveries = yield* Deliveries
  const waiting = MutableList.make<Settlement>()
  const work = Latch.makeUnsafe(false)
  const empty = Latch.makeUnsafe(true)
  let pending = 0
  let failing = false

  const streak = (failures: number) => Streak.next(failures, "failed", options.disable_after)

  const done = (batch: ReadonlyArray<Settlement>, written: ReadonlyArray<Written | null>) => {
    failing = false
    pending -= batch.length
    for (const [index, settlement] of batch.entries()) options.settled(settlement, written[index] ?? null)
    options.changed()
    // Last: who waits for it goes on at once, in the midst of this.
    if (pending === 0) empty.openUnsafe()
  }

  /**
   * Waits out an outage. A batch that is refused for another reason is halved, until the result at fault stands alone; so is
   * one that is refused again and again for whatever reason, which may lie in one result too.
   */
  const write = Effect.fnUntraced(function* (batch: ReadonlyArray<Settlement>): Effect.fn.Return<void> {
    let refusals = 0
    for (let tries = 1; ; tries++) {
      const exit = yield* Effect.exit(deliveries.settle(batch, streak))
      if (Exit.isSuccess(exit)) return done(batch, exit.value)
      failing = true
      options.changed()
      const isOutage = Cause.squash(exit.cause) instanceof Unavailable
      if (!isOutage) refusals += 1
      if (batch.length === 1 && refusals >= TRIES_ALONE) {
        yield* Effect.logError("the result of an attempt cannot be written", exit.cause)
        return done(batch, [])
      }
      yield* Effect.logWarning(`${batch.length} results cannot be written now; they are kept`, exit.cause)
      yield* Effect.sleep(Math.min(BACKOFF_FIRST_MS * 2 ** (tries - 1), BACKOFF_LAST_MS))
      if (batch.length === 1 || (isOutage && tries < TRIES_WHOLE)) continue
      const half = Math.ceil(batch.length / 2)
      yield* write(batch.slice(0, half))
      return yield* write(batch.slice(half))
    }
  })

  const next = Effect.suspend(() => {
    const batch = MutableList.takeN(waiting, BATCH_MAX)
    if (batch.length > 0) return write(batch)
    work.closeUnsafe()
    return work.await
  })
  yield* Effect.forkScoped(Effect.forever(next))

  return {
    add: (settlement) => {
      MutableList.append(waiting, settlement)
      pending += 1
      empty.closeUnsafe()
      work.openUnsafe()
    },
    pending: () => pending,
    failing: () => failing,
    drained: empty.await,
  }
})
