/** Which endpoints do not answer, so that no slots are spent on them but for a probe now and then. */
import type { Endpoint } from "@tc/store"
import * as Lane from "./Lane.ts"

/**
 * `closed`: all goes through. `open`: nothing does, until its pause is over. `half_open`: the next one goes through, as a
 * probe. `probing`: the probe is under way, and nothing else goes through.
 */
export type State = "closed" | "open" | "half_open" | "probing"

/**
 * An attempt was `answered`, with whatever status; one got no answer and was `silent`; that was one too many in a row, and
 * it `tripped`; the pause is over, though nothing was there to probe it with, and it has `rested`; a probe is `probed`; the
 * probe got no answer and `failed`.
 */
type Happening = "answered" | "silent" | "tripped" | "rested" | "probed" | "failed"

/** The whole life of a circuit. What ends late, begun before it opened, opens it for no longer. */
export const lifecycle = {
  closed: {
    answered: "closed",
    silent: "closed",
    tripped: "open",
    rested: "closed",
    probed: "closed",
    failed: "closed",
  },
  open: { answered: "closed", silent: "open", tripped: "open", rested: "half_open", probed: "probing", failed: "open" },
  half_open: {
    answered: "closed",
    silent: "half_open",
    tripped: "half_open",
    rested: "half_open",
    probed: "probing",
    failed: "open",
  },
  probing: {
    answered: "closed",
    silent: "probing",
    tripped: "probing",
    rested: "half_open",
    probed: "probing",
    failed: "open",
  },
} as const satisfies Record<State, Record<Happening, State>>

/** Whether claims leave the endpoint out. */
const isShut = { closed: false, open: true, half_open: false, probing: true } as const satisfies Record<State, boolean>

export interface Limits {
  /** Attempts without an answer, one after the other, that open a circuit. */
  readonly after: number
  /** Milliseconds that it is open at first; twice as long each time its probe fails. */
  readonly pause_ms: number
  /** Milliseconds that it is open at most. */
  readonly pause_max_ms: number
  /** The share of a pause that chance may take off, so that not all probes come at once. */
  readonly jitter: number
  /** Milliseconds after which a probe that has not ended is taken for lost. */
  readonly probe_ms: number
}

/** Milliseconds after which an endpoint for which nothing has come since its pause is forgotten. */
const IDLE_MS = 3_600_000
/** Circuits kept at most. Beyond that the one that has not changed for the longest is forgotten, and its endpoint tried anew. */
const KEPT_MAX = 10_000
/** Endpoints named at a time at most. */
const NAMED_MAX = 1_000

interface Circuit {
  readonly endpoint: Endpoint
  state: State
  /** Attempts without an answer since the latest that had one. */
  silences: number
  /** How often it opened since. */
  openings: number
  /** Milliseconds since 1970: when its pause is over, its probe is lost, or it is forgotten. */
  until: number
  /** The delivery that is its probe. */
  probe: string | null
}

/** A plain mutable structure: it knows no clock and starts nothing. Every `now` is in milliseconds since 1970. */
export class Circuits {
  readonly #limits: Limits
  readonly #random: () => number
  /** By lane, the one that changed last at the end. An endpoint that answers has none. */
  readonly #circuits = new Map<string, Circuit>()
  /** Those of them that are shut. */
  readonly #shut = new Map<string, Circuit>()

  /** `random` answers from 0 to 1. */
  constructor(limits: Limits, random: () => number) {
    this.#limits = limits
    this.#random = random
  }

  /** How many there are in each state; of those that are closed, the ones that had a silence. */
  get counts(): Record<State, number> {
    const counts = { closed: 0, open: 0, half_open: 0, probing: 0 }
    for (const { state } of this.#circuits.values()) counts[state] += 1
    return counts
  }

  /** An attempt has ended. Answers whether that opened the circuit of its endpoint after it was closed, or closed it. */
  ended(endpoint: Endpoint, id: string, answered: boolean, now: number): "opened" | "closed" | undefined {
    const name = Lane.nameOf(endpoint)
    const circuit = this.#circuits.get(name)
    const before = circuit?.state ?? "closed"
    if (answered) {
      if (circuit !== undefined) this.remove(name)
      return before === "closed" ? undefined : "closed"
    }
    const { account_id, endpoint_id } = endpoint
    const its = circuit ?? { endpoint: { account_id, endpoint_id }, ...healthy }
    its.silences += 1
    const isTripped = its.silences >= this.#limits.after
    const after = this.#move(name, its, its.probe === id ? "failed" : isTripped ? "tripped" : "silent", now)
    return before === "closed" && after === "open" ? "opened" : undefined
  }

  /** Whether a delivery may be attempted now (null), which may make it the probe; or when it is to be due. */
  hold(name: string, id: string, now: number): number | null {
    const circuit = this.#circuits.get(name)
    if (circuit === undefined || circuit.state === "closed") return null
    if (isShut[circuit.state] && !this.#isOver(circuit, now)) {
      // While a probe is under way nobody knows for how long; soon, for it may succeed.
      return circuit.state === "open" ? circuit.until : now + this.#pause(1)
    }
    this.begin(name, id, now)
    return null
  }

  /** Endpoints for which nothing is to be claimed. Those that are `ready` are to be probed. */
  list(now: number): ReadonlyArray<Endpoint & { readonly ready: boolean }> {
    return this.#named.map((circuit) => ({ ...circuit.endpoint, ready: this.#isOver(circuit, now) }))
  }

  /** When the next of them is ready. */
  get next_at(): number {
    return this.#named.reduce((least, { until }) => Math.min(least, until), Infinity)
  }

  /** This delivery is the probe. */
  begin(name: string, id: string, now: number): void {
    const circuit = this.#circuits.get(name)
    if (circuit === undefined) return
    circuit.probe = id
    this.#move(name, circuit, "probed", now)
  }

  /** There was nothing to probe the endpoint with. */
  rest(name: string, now: number): void {
    const circuit = this.#circuits.get(name)
    if (circuit !== undefined) this.#move(name, circuit, "rested", now)
  }

  /** Forgets what is known of an endpoint. */
  remove(name: string): void {
    this.#circuits.delete(name)
    this.#shut.delete(name)
  }

  get #named(): ReadonlyArray<Circuit> {
    return [...this.#shut.values()].slice(0, NAMED_MAX)
  }

  #move(name: string, circuit: Circuit, happening: Happening, now: number): State {
    const before = circuit.state
    const after = lifecycle[before][happening]
    circuit.state = after
    if (before !== after || happening === "probed") this.#enter[after](circuit, now)
    this.remove(name)
    this.#circuits.set(name, circuit)
    if (isShut[after]) this.#shut.set(name, circuit)
    this.#forget(now)
    return after
  }

  /** What a circuit is as it comes into a state. */
  readonly #enter: Record<State, (circuit: Circuit, now: number) => void> = {
    closed: () => {},
    open: (circuit, now) => {
      circuit.openings += 1
      circuit.probe = null
      circuit.until = now + this.#pause(circuit.openings)
    },
    half_open: (circuit, now) => {
      circuit.probe = null
      circuit.until = now + IDLE_MS
    },
    probing: (circuit, now) => {
      circuit.until = now + this.#limits.probe_ms
    },
  }

  /** Nothing lasts longer than the longest, unless the clock was set back. */
  #isOver({ until }: Circuit, now: number): boolean {
    const { pause_max_ms, probe_ms } = this.#limits
    return until <= now || until > now + Math.max(pause_max_ms, probe_ms)
  }

  #pause(openings: number): number {
    const { jitter, pause_max_ms, pause_ms } = this.#limits
    return Math.round(Math.min(pause_ms * 2 ** (openings - 1), pause_max_ms) * (1 - jitter * this.#random()))
  }

  #forget(now: number): void {
    const oldest = this.#circuits.entries().next().value
    if (oldest === undefined) return
    const [name, { state, until }] = oldest
    if (this.#circuits.size > KEPT_MAX || (state === "half_open" && until <= now)) this.remove(name)
  }
}

const healthy: Omit<Circuit, "endpoint"> = { state: "closed", silences: 0, openings: 0, until: 0, probe: null }
