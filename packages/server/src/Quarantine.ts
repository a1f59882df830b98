/** Endpoints to which this process can make no attempt, through no fault of theirs: they are left to others for a while. */
import type { Endpoint } from "@tc/store"
import * as Lane from "./Lane.ts"

/** Milliseconds until an attempt is made again. */
const PAUSE_MS = 10 * 60_000
/** Endpoints left alone at most: all of them are named in every claim. Beyond that the oldest is tried again early. */
const ENDPOINTS_MAX = 1_000

interface Pause {
  readonly endpoint: Endpoint
  /** Milliseconds since 1970. */
  readonly until: number
}

export class Quarantine {
  /** By lane, the oldest first. */
  readonly #pauses = new Map<string, Pause>()

  /** Leaves an endpoint alone from `now` on. Answers whether it was not already. */
  add({ account_id, endpoint_id }: Endpoint, now: number): boolean {
    const name = Lane.nameOf({ account_id, endpoint_id })
    if ((this.#pauses.get(name)?.until ?? 0) > now) return false
    this.#pauses.delete(name)
    this.#pauses.set(name, { endpoint: { account_id, endpoint_id }, until: now + PAUSE_MS })
    const oldest = this.#pauses.keys().next().value
    if (this.#pauses.size > ENDPOINTS_MAX && oldest !== undefined) this.#pauses.delete(oldest)
    return true
  }

  /** Ends the pause of an endpoint. */
  remove(name: string): void {
    this.#pauses.delete(name)
  }

  /** The endpoints that are left alone at `now`. */
  list(now: number): ReadonlyArray<Endpoint> {
    for (const [name, { until }] of this.#pauses) {
      if (until > now) break
      this.#pauses.delete(name)
    }
    return [...this.#pauses.values()].map(({ endpoint }) => endpoint)
  }
}
