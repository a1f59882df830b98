/** Counts attempts in memory as their results are written, and adds what was counted to the tallies of the storage. */
import { type Settlement, Tallies, Unavailable } from "@tc/store"
import { Cause, Clock, Effect, Exit, Latch, type Scope, Semaphore } from "effect"
import { TallySheet } from "./TallySheet.ts"

export interface Tallying {
  /** Counts the attempt of a result that was written. */
  readonly count: (settlement: Settlement) => void
  /** Adds what is counted now; what cannot be added is kept. */
  readonly flush: Effect.Effect<void>
}

/** Milliseconds for which attempts are counted before they are added: so much a process that is killed may lose. */
const INTERVAL_MS = 2_000
/** Rows, which are minutes of an endpoint, that one statement adds at most. */
const BATCH = 500
/** Rows that are kept at most while they cannot be added, some 300 bytes each. */
const ROWS_MAX = 50_000
/** Milliseconds for which tallies are kept: those of a week, to the hour, and a day more. */
const KEPT_MS = 8 * 86_400_000
/** Milliseconds before those that are older are removed, and between two times. */
const PRUNE_FIRST_MS = 60_000
const PRUNE_INTERVAL_MS = 3_600_000

/** Starts the fibers that add and remove; they end with the scope. Who ends it has to `flush` first. */
export const make = Effect.fnUntraced(function* (
  rows_max: number = ROWS_MAX,
): Effect.fn.Return<Tallying, never, Tallies | Scope.Scope> {
  const { add, prune } = yield* Tallies
  const sheet = new TallySheet()
  const work = Latch.makeUnsafe(false)
  const adding = Semaphore.makeUnsafe(1)

  /** Keeps what cannot be added, but for the oldest of too much. */
  const keep = (rows: ReadonlyArray<Parameters<typeof add>[0][number]>) => {
    sheet.putBack(rows)
    const excess = sheet.size - rows_max
    if (excess <= 0) return Effect.void
    sheet.putBack(sheet.take().slice(excess))
    return Effect.logWarning("attempts are not counted: the storage has been out of reach for too long").pipe(
      Effect.annotateLogs({ rows: excess }),
    )
  }

  const addAll = Effect.fnUntraced(function* () {
    const rows = sheet.take()
    while (rows.length > 0) {
      const batch = rows.splice(0, BATCH)
      const exit = yield* Effect.exit(add(batch))
      if (Exit.isSuccess(exit)) continue
      if (Cause.squash(exit.cause) instanceof Unavailable) return yield* keep([...batch, ...rows])
      yield* Effect.logError(`${batch.length} minutes of endpoints cannot be counted`, exit.cause)
    }
  })
  const flush = adding.withPermit(Effect.suspend(addAll))

  const step = Effect.gen(function* () {
    yield* work.await
    yield* Effect.sleep(INTERVAL_MS)
    work.closeUnsafe()
    yield* flush
    if (sheet.size > 0) work.openUnsafe()
  })
  yield* Effect.forkScoped(Effect.forever(step))

  const remove = Effect.flatMap(Clock.currentTimeMillis, (millis) => prune(millis - KEPT_MS)).pipe(
    Effect.catchCause((cause) => Effect.logWarning("old tallies cannot be removed now", cause)),
    Effect.andThen(Effect.sleep(PRUNE_INTERVAL_MS)),
  )
  yield* Effect.forkScoped(Effect.andThen(Effect.sleep(PRUNE_FIRST_MS), Effect.forever(remove)))

  return {
    count: (settlement) => {
      sheet.count(settlement)
      work.openUnsafe()
    },
    flush,
  }
})
