/** The load generator: sends each event at its time, whatever became of those before, and notes when it should have gone. */
import { setImmediate, setTimeout } from "node:timers/promises"
import * as Arrivals from "./Arrivals.ts"
import * as Clock from "./Clock.ts"

/** What was offered. Times are milliseconds of `Clock`; an event that was refused, or never sent, has NaN. */
export interface Offered {
  /** The number of the first event; the others follow. */
  readonly first: number
  /** When each event was to be sent, which its latency counts from. */
  readonly scheduled: Float64Array
  /** When it was sent. */
  readonly sent: Float64Array
  /** When it was accepted. */
  readonly accepted: Float64Array
  /** Why the run ended before its time, or null. */
  readonly stopped: string | null
}

export interface Options {
  readonly arrivals: Arrivals.Arrivals
  /** The number of the first event. */
  readonly first: number
  /** Sends event number `n`; resolves when it is accepted, rejects when it is refused. */
  readonly accept: (n: number) => Promise<unknown>
  /** Deliveries made since the run began, where the caller can tell; at least one is owed for each event. */
  readonly delivered?: () => number
  /** Events that may be under way. Beyond it the service is not slow but swamped, and the run ends. */
  readonly backlog_max: number
}

/** Above this rate a timer's millisecond is nothing, and waiting for it in a loop would take a core from the service. */
const PRECISE_PER_SECOND = 100
/** Milliseconds before the time at which a timer is given up for a loop. */
const SPIN_MS = 2

const sleep = (millis: number, precise: boolean): Promise<unknown> => {
  if (!precise) return setTimeout(Math.max(1, millis))
  return millis > SPIN_MS ? setTimeout(millis - SPIN_MS) : setImmediate()
}

/** Runs to the end of the arrivals and until the last answer. */
export const run = async (options: Options): Promise<Offered> => {
  const { arrivals, first, accept, backlog_max, delivered = () => Infinity } = options
  const start = Clock.now() + SPIN_MS
  const scheduled = Arrivals.times(arrivals).map((offset) => start + offset)
  const sent = new Float64Array(scheduled.length).fill(Number.NaN)
  const accepted = new Float64Array(scheduled.length).fill(Number.NaN)
  const answers = new Array<Promise<void>>()
  const precise = arrivals.per_second !== null && arrivals.per_second <= PRECISE_PER_SECOND
  let answered = 0
  let next = 0

  const send = async (index: number): Promise<void> => {
    sent[index] = Clock.now()
    try {
      await accept(first + index)
      accepted[index] = Clock.now()
    } catch {
      // Not accepted: nothing is owed for it, and the ledger shows what it left behind.
    }
    answered += 1
  }

  while (next < scheduled.length && next - Math.min(answered, delivered()) <= backlog_max) {
    const wait = scheduled[next]! - Clock.now()
    if (wait > 0) await sleep(wait, precise)
    else answers.push(send(next++))
  }
  await Promise.all(answers)
  const stopped = next < scheduled.length ? `more than ${backlog_max} events were under way` : null
  return { first, scheduled, sent, accepted, stopped }
}
