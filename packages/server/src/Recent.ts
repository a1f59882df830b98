/** What was looked up lately, by name. */

/** Keeps at least half of `most` entries, those used last, and never more than `most`. Nothing is moved for one that is used. */
export class Recent<A> {
  readonly #half: number
  #young = new Map<string, A>()
  #old = new Map<string, A>()

  constructor(most: number) {
    this.#half = Math.floor(most / 2)
  }

  get(name: string): A | undefined {
    const young = this.#young.get(name)
    if (young !== undefined) return young
    const old = this.#old.get(name)
    if (old !== undefined) this.set(name, old)
    return old
  }

  set(name: string, value: A): void {
    if (this.#young.size >= this.#half && !this.#young.has(name)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, value)
  }
}
