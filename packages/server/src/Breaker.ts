/** Spares endpoints that do not answer: their deliveries wait in the queue, and one is tried now and then. */
import { Deliveries, type Endpoint, type Job, type Released } from "@tc/store"
import { type Clock, Effect } from "effect"
import type { Capacity } from "./Capacity.ts"
import { Circuits, type State } from "./Circuits.ts"
import type { Settings } from "./DeliverySettings.ts"
import * as Lane from "./Lane.ts"
import * as Lease from "./Lease.ts"
import * as Outcome from "./Outcome.ts"
import type { Answer } from "./Sender.ts"

export interface Options {
  readonly capacity: Capacity
  readonly clock: Clock.Clock
  readonly settings: Settings
  /** Gives deliveries back to the queue, to be due later. */
  readonly giveBack: (jobs: ReadonlyArray<Released>) => void
  /** Called when the circuit of an endpoint has opened after it was closed. */
  readonly opened: (endpoint: Endpoint) => void
  /** Called when it has closed. */
  readonly closed: (endpoint: Endpoint) => void
}

export interface Breaker {
  /** Of these deliveries those that may be attempted; the others are deferred. What a person asked for may be. */
  readonly admit: (jobs: ReadonlyArray<Lease.Held>) => ReadonlyArray<Lease.Held>
  /** An attempt has ended with this answer. */
  readonly ended: (job: Lease.Held, answer: Answer) => void
  /** Leases what may be attempted all the same: probes, and what persons asked for. */
  readonly probe: (max_bytes: number) => Effect.Effect<ReadonlyArray<Job>>
  /** Endpoints for which nothing is to be claimed. */
  readonly shut: () => ReadonlyArray<Endpoint>
  /** When `probe` is to be called next, in milliseconds since 1970. */
  readonly next_at: () => number
  /** Forgets what is known of an endpoint. */
  readonly forget: (lane: string) => void
  /** How many circuits there are in each state. */
  readonly counts: () => Record<State, number>
}

/** Milliseconds between two looks for what persons asked for. */
const ASK_MS = 2_000

/** A pause is never longer than the shortest time to a retry, so that it does not stretch the schedule. */
const limitsOf = ({ circuit, schedule, timeout_ms }: Settings) => ({
  ...circuit,
  pause_max_ms: Math.min(circuit.pause_max_ms, ...schedule.slice(1)),
  probe_ms: Lease.least(timeout_ms),
})

export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Breaker, never, Deliveries> {
  const { capacity, clock, settings, giveBack, opened, closed } = options
  const { lanes } = capacity
  const deliveries = yield* Deliveries
  const circuits = new Circuits(limitsOf(settings), Math.random)
  const now = () => clock.currentTimeMillisUnsafe()
  let ask_at = 0

  const admit = (jobs: ReadonlyArray<Lease.Held>): ReadonlyArray<Lease.Held> => {
    const at = now()
    const held: Array<Released> = []
    const admitted = jobs.filter((job) => {
      const due_at = job.manual ? null : circuits.hold(job.lane, job.id, at)
      if (due_at !== null) held.push({ ...job, due_at })
      return due_at === null
    })
    if (held.length > 0) giveBack(held)
    return admitted
  }

  const ended = (job: Lease.Held, answer: Answer): void => {
    const change = circuits.ended(job, job.id, Outcome.isAnswered(answer), now())
    if (change === "closed") closed(job)
    if (change !== "opened") return
    opened(job)
    for (const waiting of admit(lanes.clear(job.lane))) lanes.add(waiting)
  }

  const probe = Effect.fnUntraced(function* (max_bytes: number) {
    const at = now()
    const endpoints = circuits.list(at)
    const ready = endpoints.filter((endpoint) => endpoint.ready)
    if (endpoints.length === 0 || (ready.length === 0 && at < ask_at && ask_at <= at + ASK_MS)) return []
    ask_at = at + ASK_MS
    const jobs = yield* deliveries.probe({ endpoints, max_bytes, lease_ms: Lease.duration(settings.timeout_ms, at) })
    const byLane = new Map(jobs.map((job) => [Lane.nameOf(job), job]))
    for (const lane of ready.map(Lane.nameOf)) {
      const job = byLane.get(lane)
      if (job === undefined) circuits.rest(lane, at)
      else circuits.begin(lane, job.id, at)
    }
    return jobs
  })

  return {
    admit,
    ended,
    probe,
    shut: () => circuits.list(now()),
    next_at: () => Math.min(circuits.next_at, circuits.list(now()).length > 0 ? ask_at : Infinity),
    forget: (lane) => circuits.remove(lane),
    counts: () => circuits.counts,
  }
})
