/** How much work this process takes on at a time, and when it takes no more. */
import type { Settings } from "./DeliverySettings.ts"
import { Lanes } from "./Lanes.ts"
import type { Held } from "./Lease.ts"
import type { Settler } from "./Settler.ts"

/** Deliveries that wait in this process at most, for each attempt that may be under way. */
const WAITING_PER_SLOT = 8
/**
 * The share of these places that claims leave free, and that births do: retries that wait for endpoints which do not answer
 * must not send what is born here through the queue.
 */
const CLAIMED_LEAVE = 1 / 2
const BORN_LEAVE = 1 / 8
/** Characters of payload that wait in this process before it takes no more. */
const WAITING_MAX_CHARACTERS = 64 * 1024 * 1024
/** Characters of payload under way at once, before no more attempts begin. */
const UNDER_WAY_MAX_CHARACTERS = 128 * 1024 * 1024
/** Results that wait to be written, for each attempt that may be under way, before no more attempts begin. */
const UNWRITTEN_PER_SLOT = 4

export class Capacity {
  readonly lanes: Lanes<Held>
  /** Whether the work is over: nothing is taken and nothing begins any more. */
  closed = false
  readonly #waiting_max: number
  readonly #unwritten_max: number
  readonly #settler: Settler

  constructor({ concurrency, per_endpoint, window }: Settings, settler: Settler) {
    const capacity = WAITING_PER_SLOT * Math.max(concurrency, per_endpoint)
    this.lanes = new Lanes({
      concurrency,
      per_endpoint,
      capacity,
      characters: UNDER_WAY_MAX_CHARACTERS,
      window,
    })
    this.#waiting_max = capacity
    this.#unwritten_max = UNWRITTEN_PER_SLOT * concurrency
    this.#settler = settler
  }

  /** Whether attempts may begin: what comes of them has to be written. */
  get open(): boolean {
    return !this.closed && !this.#settler.failing() && this.#settler.pending() < this.#unwritten_max
  }

  /** Characters of payload for which there is room. */
  get characters(): number {
    return WAITING_MAX_CHARACTERS - this.lanes.characters
  }

  /** Whether more deliveries may be claimed. */
  get hasRoomToClaim(): boolean {
    return this.#leaves(CLAIMED_LEAVE)
  }

  /** Whether it is worth while to claim again after there was no room: not for every place that falls free. */
  get hasRoomAgain(): boolean {
    return this.#leaves(CLAIMED_LEAVE + BORN_LEAVE)
  }

  /** Whether more deliveries may be born under a lease of this process. */
  get hasRoomToBear(): boolean {
    return this.#leaves(BORN_LEAVE)
  }

  #leaves(share: number): boolean {
    return this.open && this.lanes.room > this.#waiting_max * share && this.characters > 0
  }
}
