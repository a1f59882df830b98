/** Lanes that have as much under way as is allowed at the moment, though not as much as they may have once more is allowed. */

/** By how much they have under way, so that what falls free is for those that have least and costs no look at the others. */
export class HeldBack<L extends { readonly under_way: number }> {
  readonly #by_load: Array<Set<L>> = []
  readonly #loads = new Map<L, number>()

  add(lane: L): void {
    this.delete(lane)
    this.#loads.set(lane, lane.under_way)
    const its = (this.#by_load[lane.under_way] ??= new Set())
    its.add(lane)
  }

  delete(lane: L): void {
    const load = this.#loads.get(lane)
    if (load === undefined) return
    this.#loads.delete(lane)
    this.#by_load[load]?.delete(lane)
  }

  /** Removes the lanes that have less under way than is allowed, in the order in which they came, until `enough`. */
  release(allowance: number, enough: (lane: L) => boolean): void {
    if (this.#loads.size === 0) return
    for (let load = 0; load < allowance; load++) {
      for (const lane of this.#by_load[load] ?? []) {
        this.delete(lane)
        if (enough(lane)) return
      }
    }
  }
}
