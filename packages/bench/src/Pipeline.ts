/** A delivery pipeline under measurement: events accepted, delivered and recorded, run in a process of its own. */
import { setTimeout } from "node:timers/promises"
import type { Arrivals } from "./Arrivals.ts"
import * as Child from "./Child.ts"
import type { Counts } from "./Ledger.ts"
import * as OpenLoop from "./OpenLoop.ts"
import * as Payload from "./Payload.ts"

/** What the floor, our service and the peers must offer. */
export interface Pipeline {
  /**
   * Makes one endpoint per URL, the only active ones from now on; answers their signing secrets, in the same order.
   * Endpoint n belongs to account n % accounts.
   */
  readonly subscribe: (urls: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
  /** Accepts one event for every endpoint of account number `account`; resolves once it and its deliveries are committed. */
  readonly accept: (event: string, data: Payload.Payload, account: number) => Promise<unknown>
  /** How many deliveries have been recorded as succeeded, committed, since the process started. */
  readonly recorded: () => number
  /** All deliveries that are stored, by what became of them. */
  readonly counts: () => Promise<Counts>
}

/** How a contender is run. */
export interface Options {
  /** Whether accepting an event also writes a record of about its size, as a resource's create does. */
  readonly record: boolean
  /** What this process does. Where one only accepts, another on the same database delivers. */
  readonly role: "whole" | "accepting" | "delivering"
  /** Each event goes to the endpoints of one account only, of which there are so many. */
  readonly accounts: number
  /** What they are called before their number; another name keeps them apart from those of other processes. */
  readonly account?: string
}

/** A contender: a module that exports this function by this name. The database is empty when the first process starts. */
export interface Contender {
  readonly makePipeline: (databaseUrl: string, options: Options) => Promise<Pipeline>
}

/** How many deliveries may be open at a time: a burst deep enough to batch, with no queue that grows without end. */
const window = 2_000
/** How many callers accept events at the same time. */
const callers = 256
/** Milliseconds without any delivery after which a run as fast as can be is given up. */
const stalled_ms = 90_000
/** Events under way that end an open-loop run: sent and not yet accepted, or accepted and not yet delivered. */
const backlog_max = 20_000

/** The number of the first event of a process that mainly delivers. */
const DELIVERING_FIRST = 1_000_000_000

let pipeline: Pipeline
let accounts: number
let delivers: boolean
/** The number of the next event; two processes of one contender accept different ones. */
let next = 0

const accept = (n: number) => pipeline.accept(Payload.event, Payload.make(n), n % accounts)

const methods = {
  start: async (module: string, databaseUrl: string, options: Options): Promise<void> => {
    const contender: Contender = await import(module)
    pipeline = await contender.makePipeline(databaseUrl, options)
    accounts = options.accounts
    delivers = options.role !== "accepting"
    next = options.role === "delivering" ? DELIVERING_FIRST : 0
  },
  subscribe: (urls: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => pipeline.subscribe(urls),
  /** Accepts `events` events, as many at a time as the window lets; answers the milliseconds until the last is recorded. */
  saturate: async (events: number, fanOut: number): Promise<number> => {
    const before = pipeline.recorded()
    let accepted = 0
    let recorded = 0
    let looked = Promise.withResolvers<void>()
    const caller = async () => {
      while (accepted < events) {
        // One timer for all: hundreds of callers that woke only to find the window full would be measured too.
        if (accepted * fanOut - recorded >= window) await looked.promise
        else {
          accepted += 1
          await accept(next++)
        }
      }
    }
    const start = performance.now()
    const accepting = Promise.all(Array.from({ length: callers }, caller))
    for (let progress = start; recorded < events * fanOut;) {
      await setTimeout(2)
      const now = pipeline.recorded() - before
      if (now > recorded) progress = performance.now()
      else if (performance.now() - progress > stalled_ms) throw new Error(`stalled at ${now} of ${events * fanOut}`)
      recorded = now
      looked.resolve()
      looked = Promise.withResolvers()
    }
    const elapsed = performance.now() - start
    await accepting
    return elapsed
  },
  /** Accepts events as they arrive, whatever becomes of them. */
  offer: (arrivals: Arrivals): Promise<OpenLoop.Offered> => {
    const first = next
    next += arrivals.events
    const before = pipeline.recorded()
    // Who only accepts does not know what was delivered.
    const delivered = () => (delivers ? pipeline.recorded() - before : Infinity)
    return OpenLoop.run({ arrivals, first, accept, delivered, backlog_max })
  },
  recorded: async (): Promise<number> => pipeline.recorded(),
  counts: (): Promise<Counts> => pipeline.counts(),
}

if (process.argv[1] === import.meta.filename) Child.expose(methods)

/** A pipeline in its own process. */
export type Running = Child.Child<typeof methods>

/** Starts a contender's pipeline as a child of this process. */
export const start = async (module: string, databaseUrl: string, options: Options): Promise<Running> => {
  const child = Child.start<typeof methods>(import.meta.url)
  await child.call("start", module, databaseUrl, options)
  return child
}
