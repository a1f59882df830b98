/** A contender under measurement: its database, its processes and a receiver of its own, with one ledger for all its runs. */
import { setTimeout } from "node:timers/promises"
import type { Arrivals } from "./Arrivals.ts"
import * as Database from "./Database.ts"
import * as Ledger from "./Ledger.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Receiver from "./Receiver.ts"
import * as Run from "./Run.ts"

/** Who is measured, and how it is run. */
export interface Contender {
  readonly name: string
  /** The URL of its module. */
  readonly module: string
  readonly record?: boolean
  /** Whether one process accepts and another delivers. */
  readonly split?: boolean
  /** Each event goes to the endpoints of one account only; 1 when left out: to all of them. */
  readonly accounts?: number
  /** Answers the address of an empty database; a fresh one of PostgreSQL when left out. */
  readonly database?: () => Promise<string>
}

export interface Endpoints {
  readonly count: number
  /** Over how many origins they are spread; 1 when left out. */
  readonly origins?: number
  /** Milliseconds after which they answer; 0 when left out. */
  readonly pace_ms?: number
}

export interface Rig {
  readonly name: string
  readonly database: string
  /** Makes these endpoints the only ones. */
  readonly subscribe: (endpoints: Endpoints) => Promise<void>
  /** One process accepts and delivers so many as fast as it can; answers deliveries recorded per second. */
  readonly saturate: (deliveries: number) => Promise<number>
  /**
   * Offers events at their times and waits until all deliveries are recorded, or for so many milliseconds. More a second
   * than `saturate` has shown to be possible is refused: only a queue that grows would be measured.
   */
  readonly offer: (arrivals: Arrivals, patience_ms?: number) => Promise<Run.Run>
  /** Kills the process that delivers and starts another. */
  readonly replace: () => Promise<void>
  /** The ledger of everything that was accepted so far. Deliveries that others wrote into its database are `foreign`. */
  readonly ledger: (options?: { readonly at_least_once?: boolean; readonly foreign?: number }) => Promise<Ledger.Ledger>
  readonly stop: () => Promise<void>
}

/** A run was not what it should have been: its figures mean nothing. */
export class Void extends Error {
  override readonly name = "Void"
}

/** Milliseconds that deliveries may take after the last event, unless a run says otherwise. */
const PATIENCE_MS = 30_000
/** Milliseconds for the last results to be written before a ledger that does not balance counts. */
const CLOSING_MS = 5_000

/** Starts a contender on a fresh database. */
export const start = async (contender: Contender): Promise<Rig> => {
  const { name, module, record = false, split = false, accounts = 1 } = contender
  const database = await (contender.database ?? Database.create)()
  const receiver = Receiver.start()
  const open = (role: Pipeline.Options["role"]) => Pipeline.start(module, database, { record, role, accounts })
  const accepting = await open(split ? "accepting" : "whole")
  let delivering = split ? await open("delivering") : accepting
  let fanOut = 1
  /** Deliveries a second; unknown until `saturate` has been run. */
  let maximum = Infinity
  /** Deliveries owed for all events accepted so far. */
  let owed = 0

  /** How long deliveries are waited for that all have to come: once some have not, the run is void, and nothing is any more. */
  let patience_ms = PATIENCE_MS

  /** Asks again and again until enough is done, or the time is over. Answers whether it is. */
  const until = async (deadline: number, done: () => Promise<number>): Promise<boolean> => {
    while ((await done()) < owed) {
      if (performance.now() >= deadline) return false
      await setTimeout(50)
    }
    return true
  }

  /** Waits until all that is owed is recorded. It looks there only once all came: to count a million rows is work as well. */
  const drained = async (within_ms: number): Promise<boolean> => {
    const deadline = performance.now() + within_ms
    const came = await until(deadline, async () => (await receiver.call("seen")).deliveries)
    const recorded = await until(deadline, async () => (await accepting.call("counts")).delivered)
    return came && recorded
  }

  return {
    name,
    database,
    subscribe: async ({ count, origins = 1, pace_ms = 0 }) => {
      await receiver.call("pace", pace_ms)
      fanOut = count / accounts
      const opened = await receiver.call("listen", origins)
      const urls = Array.from({ length: count }, (_, endpoint) => `${opened[endpoint % origins]}/${endpoint}`)
      await receiver.call("expect", await accepting.call("subscribe", urls))
    },
    saturate: async (deliveries) => {
      const events = Math.ceil(deliveries / fanOut)
      const elapsed = await delivering.call("saturate", events, fanOut).catch((error: Error) => {
        throw new Void(`${name}: ${error.message}`)
      })
      owed += events * fanOut
      await receiver.call("arrived")
      const per_second = ((events * fanOut) / elapsed) * 1_000
      // The best of several: what it did once it can do.
      maximum = Math.max(maximum === Infinity ? 0 : maximum, per_second)
      return per_second
    },
    offer: async (arrivals, given) => {
      if ((arrivals.per_second ?? 0) * fanOut > maximum)
        throw new Error(`${name} does ${maximum}/s at most: ${arrivals.per_second}/s cannot be offered`)
      const offered = await accepting.call("offer", arrivals)
      if (offered.stopped !== null) throw new Void(`${name}: ${offered.stopped}`)
      owed += offered.accepted.filter((time) => !Number.isNaN(time)).length * fanOut
      const isDrained = await drained(given ?? patience_ms)
      if (given === undefined && !isDrained) patience_ms = 0
      return Run.judge(offered, await receiver.call("arrived"), fanOut)
    },
    replace: async () => {
      await delivering.stop("SIGKILL")
      delivering = await open("delivering")
    },
    ledger: async ({ at_least_once = false, foreign = 0 } = {}) => {
      const deadline = performance.now() + CLOSING_MS
      for (;;) {
        const counts = await accepting.call("counts")
        const seen = await receiver.call("seen")
        if (seen.fault !== null) throw new Void(`${name}: ${seen.fault}`)
        const ledger = Ledger.make({ accepted: owed + foreign, counts, received: seen, at_least_once })
        if (ledger.balanced || performance.now() > deadline) return ledger
        await setTimeout(50)
      }
    },
    stop: async () => {
      await Promise.all([accepting.stop(), delivering.stop(), receiver.stop()])
    },
  }
}
