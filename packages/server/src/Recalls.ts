/** Which endpoints were changed of late: what was leased for them before that is out of date, however late it arrives here. */

/** Milliseconds for which a change is remembered: no attempt of what was leased longer ago begins any more. */
const KEPT_MS = 60_000

interface Recall {
  readonly nth: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** They are numbered, for the clock cannot tell what came first within a millisecond, and may be set back. */
export class Recalls {
  /** By lane, the oldest first. */
  readonly #latest = new Map<string, Recall>()
  #count = 0

  /** How many there have been so far. */
  get count(): number {
    return this.#count
  }

  add(lane: string, now: number): void {
    this.#count += 1
    this.#latest.delete(lane)
    for (const [oldest, { at }] of this.#latest) {
      if (Math.abs(now - at) < KEPT_MS) break
      this.#latest.delete(oldest)
    }
    this.#latest.set(lane, { nth: this.#count, at: now })
  }

  /** Whether the endpoint of a delivery was changed after so many recalls, when it was leased. */
  isOutdated({ lane, recalls }: { readonly lane: string; readonly recalls: number }): boolean {
    return this.#count > recalls && (this.#latest.get(lane)?.nth ?? 0) > recalls
  }
}
