/**
 * From where a claim reads the queue. Under an old snapshot the dead entries of all that was claimed stay in the index, and who
 * begins at its front passes over each of them. So a claim begins where the one before found the oldest delivery, and only
 * a sweep, each second, begins at the front: for what is written late, by a slow transaction or by a clock behind.
 */

/** Milliseconds between two sweeps. */
const SWEEP_MS = 1_000
/** Milliseconds after it fell due in which a delivery is found without a sweep, though its transaction took so long. */
const LATE_MS = 500

/** Where a claim begins: among first attempts, retries, and leases. */
export interface Marks {
  readonly first: string
  readonly retry: string
  readonly lease: string
}

const front: Marks = { first: "-infinity", retry: "-infinity", lease: "-infinity" }

/** When the oldest that was seen fell due, in milliseconds since 1970, of first attempts and of retries; null for none. */
export type Oldest = readonly [first: number | null, retry: number | null]

export class Watermark {
  #marks = front
  #swept_at = -Infinity
  /** No mark is later. */
  #latest = -Infinity

  /** Where a claim begins now: at the front where it is time for a sweep, or the clock was set back. */
  at(millis: number): Marks {
    return Math.abs(millis - this.#swept_at) >= SWEEP_MS ? front : this.#marks
  }

  /** What a claim saw that began at these marks. */
  saw(marks: Marks, millis: number, [first, retry]: Oldest): void {
    if (marks === front) this.#swept_at = millis
    const latest = millis - LATE_MS
    const markOf = (at: number | null) => new Date(Math.min(at ?? latest, latest)).toISOString()
    this.#latest = latest
    this.#marks = { first: markOf(first), retry: markOf(retry), lease: markOf(null) }
  }

  /** Something was put into the queue that was due then: where that is behind the marks, the next claim is a sweep. */
  add(due_at: number): void {
    if (due_at < this.#latest) this.#swept_at = -Infinity
  }
}
