/** The order in which one process makes its attempts: a lane for each endpoint, so that none delays another. */
import { MutableList } from "effect"
import { HeldBack } from "./HeldBack.ts"
import * as Lane from "./Lane.ts"

export interface Limits {
  /** Attempts under way at most. */
  readonly concurrency: number
  /** Attempts under way to one endpoint at most. */
  readonly per_endpoint: number
  /** Deliveries waiting at most. */
  readonly capacity: number
  /** Characters of payload under way, beyond which nothing more starts. */
  readonly characters: number
  /** Attempts under way at most to an endpoint that has not answered yet; one more for each that it answers while others wait. */
  readonly window: number
}

/** While both wait, one attempt in so many is a retry. */
const RETRY_EVERY = 5
/** Retries hold at most this share of all slots: however many receivers are down, some are left for first attempts. */
const RETRY_SHARE = 3 / 4
/** While the last slots, this share of all, are used up, what one endpoint may have falls to one: so some are left for the next. */
const SPARING_SHARE = 1 / 2
/** One endpoint gets at most one in so many of the free places to wait. */
const FREE_PLACES_PER_LANE = 2

/** One endpoint holds at most this share of the characters under way, and the delivery that goes beyond it. */
const CHARACTERS_SHARE = 1 / 4

/**
 * Lanes take turns, and in each the oldest goes first. First attempts go before retries, of which a share is kept
 * moving. A plain mutable structure: it knows no clock and starts nothing.
 */
export class Lanes<A extends Lane.Item> {
  readonly #limits: Limits
  readonly #lanes = new Map<string, Lane.Lane<A>>()
  /** The lanes that may start something, in the order of their turns. */
  readonly #rounds = { first: MutableList.make<Lane.Lane<A>>(), retry: MutableList.make<Lane.Lane<A>>() }
  readonly #held_back = { first: new HeldBack<Lane.Lane<A>>(), retry: new HeldBack<Lane.Lane<A>>() }
  #under_way = 0
  #retries_under_way = 0
  #waiting = 0
  /** Characters of payload that wait, and that are under way. */
  #characters = 0
  #characters_under_way = 0
  #turn = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Attempts under way. */
  get underWay(): number {
    return this.#under_way
  }

  /** How many more attempts could be under way. */
  get free(): number {
    return this.#limits.concurrency - this.#under_way
  }

  /** What one endpoint may have under way at this moment; never less than one, so that every lane moves. */
  get allowance(): number {
    const { concurrency, per_endpoint } = this.#limits
    const share = Math.min(1, this.free / (concurrency * SPARING_SHARE))
    return Math.max(1, Math.floor(per_endpoint * share))
  }

  /** Deliveries that wait for their turn. */
  get waiting(): number {
    return this.#waiting
  }

  /** The length of all payloads that wait. */
  get characters(): number {
    return this.#characters
  }

  /** How many more deliveries could wait. */
  get room(): number {
    return this.#limits.capacity - this.#waiting
  }

  /** Deliveries to one endpoint, under way or waiting. */
  load(name: string): number {
    const lane = this.#lanes.get(name)
    return lane === undefined ? 0 : Lane.loadOf(lane)
  }

  /** Whether an endpoint has no more here than may be under way to it. */
  isShort(name: string): boolean {
    const lane = this.#lanes.get(name)
    return lane === undefined || Lane.loadOf(lane) <= this.#limitOf(lane)
  }

  /**
   * The endpoints that have all here that they need: a full set under way and another waiting; of one that does not answer,
   * or has not yet, no more than may be under way.
   */
  get supplied(): Array<Lane.Lane<A>["endpoint"]> {
    const { allowance } = this
    return [...this.#lanes.values()].flatMap((lane) => {
      const sets = lane.window < this.#limits.per_endpoint && lane.window <= this.#limits.window ? 1 : 2
      return Lane.loadOf(lane) >= sets * this.#limitOf(lane, allowance) ? [lane.endpoint] : []
    })
  }

  /** Endpoints that have something here. */
  get size(): number {
    return this.#lanes.size
  }

  /** Lets a delivery wait for its turn. Answers false, and takes nothing, when its lane has its share of the room. */
  add(item: A): boolean {
    const lane = this.#lanes.get(item.lane) ?? Lane.make(item, this.#limits.window)
    if (Lane.waitingIn(lane) * FREE_PLACES_PER_LANE >= this.room) return false
    this.#lanes.set(item.lane, lane)
    MutableList.append(lane.waiting[Lane.kindOf(item)], item)
    this.#waiting += 1
    this.#characters += item.tail.length
    this.#list(lane, Lane.kindOf(item))
    return true
  }

  /** The next delivery to attempt, if one may start; it is under way until `done`. */
  take(): A | undefined {
    if (this.free <= 0 || this.#characters_under_way >= this.#limits.characters) return undefined
    const item =
      this.#turn % RETRY_EVERY === RETRY_EVERY - 1
        ? (this.#next("retry") ?? this.#next("first"))
        : (this.#next("first") ?? this.#next("retry"))
    if (item === undefined) return undefined
    this.#turn += 1
    this.#under_way += 1
    if (Lane.kindOf(item) === "retry") this.#retries_under_way += 1
    return item
  }

  /** Ends what `take` began; `answered` says whether its endpoint gave a sign of life. */
  done(item: A, answered: boolean): void {
    const lane = this.#lanes.get(item.lane)
    if (lane === undefined) return
    if (!answered) lane.window = this.#limits.window
    else if (Lane.waitingIn(lane) > 0) lane.window = Math.min(lane.window + 1, this.#limits.per_endpoint)
    lane.under_way -= 1
    lane.characters -= item.tail.length
    this.#under_way -= 1
    this.#characters_under_way -= item.tail.length
    if (Lane.kindOf(item) === "retry") this.#retries_under_way -= 1
    this.#list(lane, "first")
    this.#list(lane, "retry")
    this.#forget(item.lane, lane)
  }

  /** Removes those at the front of each lane that need not wait any more. */
  sweep(isStale: (item: A) => boolean): Array<A> {
    return [...this.#lanes].flatMap(([name, lane]) => this.#remove(name, lane, isStale))
  }

  /** Removes all that wait for one endpoint. */
  clear(name: string): Array<A> {
    const lane = this.#lanes.get(name)
    return lane === undefined ? [] : this.#remove(name, lane, () => true)
  }

  #remove(name: string, lane: Lane.Lane<A>, isStale: (item: A) => boolean): Array<A> {
    const removed = [lane.waiting.first, lane.waiting.retry].flatMap((items) => {
      const kept = MutableList.toArray(items).findIndex((item) => !isStale(item))
      return MutableList.takeN(items, kept === -1 ? items.length : kept)
    })
    this.#waiting -= removed.length
    for (const { tail } of removed) this.#characters -= tail.length
    this.#forget(name, lane)
    return removed
  }

  /** What an endpoint may have under way: it may have stopped answering long before the first of its attempts runs out of time. */
  #limitOf(lane: Lane.Lane<A>, allowance = this.allowance): number {
    return Math.min(lane.window, allowance)
  }

  /** A lane at its limit leaves the round, until one of its attempts ends or more is allowed. */
  #next(kind: Lane.Kind): A | undefined {
    if (kind === "retry" && this.#retries_under_way >= this.#limits.concurrency * RETRY_SHARE) return undefined
    const { allowance } = this
    for (;;) {
      const lane = MutableList.take(this.#rounds[kind])
      if (lane === MutableList.Empty) {
        if (this.#relist(kind, allowance)) continue
        return undefined
      }
      lane.listed[kind] = false
      if (lane.under_way >= this.#limitOf(lane, allowance)) {
        if (lane.under_way < this.#limitOf(lane, this.#limits.per_endpoint)) this.#held_back[kind].add(lane)
        continue
      }
      if (lane.characters >= this.#limits.characters * CHARACTERS_SHARE) continue
      const item = MutableList.take(lane.waiting[kind])
      if (item === MutableList.Empty) continue
      lane.under_way += 1
      lane.characters += item.tail.length
      this.#characters_under_way += item.tail.length
      this.#waiting -= 1
      this.#characters -= item.tail.length
      this.#list(lane, kind)
      return item
    }
  }

  /** Lets those have their turn again for which enough has fallen free, as many as there are slots. Answers whether there are any. */
  #relist(kind: Lane.Kind, allowance: number): boolean {
    let count = 0
    this.#held_back[kind].release(allowance, (lane) => {
      if (this.#list(lane, kind)) count += 1
      return count >= this.free
    })
    return count > 0
  }

  /** Answers whether it is listed now and was not before. */
  #list(lane: Lane.Lane<A>, kind: Lane.Kind): boolean {
    if (lane.listed[kind] || lane.waiting[kind].length === 0) return false
    lane.listed[kind] = true
    this.#held_back[kind].delete(lane)
    MutableList.append(this.#rounds[kind], lane)
    return true
  }

  #forget(name: string, lane: Lane.Lane<A>): void {
    if (lane.under_way > 0 || Lane.waitingIn(lane) > 0) return
    this.#lanes.delete(name)
    this.#held_back.first.delete(lane)
    this.#held_back.retry.delete(lane)
  }
}
