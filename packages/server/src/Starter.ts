/** Starts attempts as their turns come, and tells how they ended. */
import { type Clock, type Context, Effect, Exit, Fiber, Latch } from "effect"
import type { UnreadableSecret } from "./Attempts.ts"
import type { Capacity } from "./Capacity.ts"
import type { Held } from "./Lease.ts"
import * as Outcome from "./Outcome.ts"
import type { Answer } from "./Sender.ts"

export interface Options {
  readonly capacity: Capacity
  readonly clock: Clock.Clock
  readonly context: Context.Context<never>
  readonly attempt: (job: Held) => Effect.Effect<Answer, UnreadableSecret>
  /** Called when it has ended; `exit` is a failure where it was none. */
  readonly ended: (job: Held, exit: Exit.Exit<Answer, UnreadableSecret>) => void
  /** Called for deliveries that come too late or for which there is no room. */
  readonly gaveUp: (jobs: ReadonlyArray<Held>) => void
  /** Called when all is started that may be. */
  readonly rested: () => void
}

export interface Starter {
  /** Takes deliveries to be attempted as soon as may be. */
  readonly take: (jobs: ReadonlyArray<Held>) => void
  /** Starts what may be started, now. */
  readonly pump: () => void
  /** The same once the present step of the program is over; several calls are one. */
  readonly schedule: () => void
  /** Ends when no attempt is under way. */
  readonly landed: Effect.Effect<void>
  /** Breaks off the attempts that are under way. */
  readonly interrupt: Effect.Effect<void>
}

/** One fiber to an attempt, and nothing else to it: this is where the time of the process goes. */
export const make = (options: Options): Starter => {
  const { capacity, clock } = options
  const { lanes } = capacity
  const run = Effect.runForkWith(options.context)
  const fibers = new Set<Fiber.Fiber<Answer, UnreadableSecret>>()
  const idle = Latch.makeUnsafe(true)
  let scheduled = false

  const start = (job: Held): void => {
    idle.closeUnsafe()
    const fiber = run(options.attempt(job))
    fibers.add(fiber)
    fiber.addObserver((exit) => {
      fibers.delete(fiber)
      lanes.done(job, Exit.isSuccess(exit) && Outcome.isAnswered(exit.value))
      options.ended(job, exit)
      schedule()
      // Last: who waits for it goes on at once, in the midst of this.
      if (fibers.size === 0) idle.openUnsafe()
    })
  }

  const pump = (): void => {
    while (capacity.open) {
      const job = lanes.take()
      if (job === undefined) break
      if (clock.currentTimeMillisUnsafe() < job.start_before) start(job)
      else {
        lanes.done(job, false)
        options.gaveUp([job])
      }
    }
    options.rested()
  }

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    queueMicrotask(() => {
      scheduled = false
      pump()
    })
  }

  return {
    take: (jobs) => {
      const refused = jobs.filter((job) => !lanes.add(job))
      if (refused.length > 0) options.gaveUp(refused)
      schedule()
    },
    pump,
    schedule,
    landed: idle.await,
    interrupt: Effect.suspend(() => Fiber.interruptAll(fibers)),
  }
}
