/** Group commit in the process: what arrives while a statement is under way goes out together, with the next. */
import { Effect, Exit, type Fiber } from "effect"
import { Unavailable } from "../Storage.ts"

/** How many items, and what they weigh together. */
export interface Size {
  readonly items: number
  readonly weight: number
}

export interface Options<Item, E> {
  /** Starts the fiber of a statement, with the services of whoever owns the batcher. */
  readonly fork: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>
  /** Statements under way at once; beside another one begins only when it is full, or once the last has taken long. */
  readonly lanes: number
  /** Milliseconds that are not long yet. */
  readonly patience_ms: number
  /** One statement at most; an item that weighs more goes alone. */
  readonly batch: Size
  /** What waits at most; more is refused. */
  readonly queue: Size
  readonly weigh: (item: Item) => number
  /** Writes some items, and answers how each of them fared. */
  readonly write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<void, E>>>
}

interface Entry<Item, E> {
  readonly item: Item
  readonly weight: number
  readonly resume: (exit: Exit.Exit<void, E>) => void
}

const overflow = new Unavailable({ cause: "more waits to be written than there is room for" })

/**
 * A lone item goes out at once, and a batch is as large as the load makes it: while a statement is under way company is
 * waited for, because few large statements cost less than many small ones. An item that finds no room dies with
 * `Unavailable`; one that is interrupted while it waits is not written.
 */
export const make = <Item, E>(options: Options<Item, E>): ((item: Item) => Effect.Effect<void, E>) => {
  const { batch, queue, lanes, patience_ms, fork, weigh, write } = options
  const waiting = new Set<Entry<Item, E>>()
  let weight = 0
  let running = 0

  const remove = (entry: Entry<Item, E>) => {
    if (waiting.delete(entry)) weight -= entry.weight
  }

  const take = (): ReadonlyArray<Entry<Item, E>> => {
    const taken: Array<Entry<Item, E>> = []
    let together = 0
    for (const entry of waiting) {
      together += entry.weight
      if (taken.length > 0 && (taken.length >= batch.items || together > batch.weight)) break
      taken.push(entry)
      remove(entry)
    }
    return taken
  }

  const begin = () => {
    running += 1
    const entries = take()
    // Some item may be waiting for a lock: the others need not wait with it.
    const patience = fork(
      Effect.delay(
        Effect.sync(() => pump(1)),
        patience_ms,
      ),
    )
    fork(write(entries.map(({ item }) => item))).addObserver((exit) => {
      running -= 1
      patience.interruptUnsafe()
      entries.forEach(({ resume }, index) => resume(Exit.isSuccess(exit) ? exit.value[index]! : exit))
      pump()
    })
  }

  /** Begins what may begin; beside another statement only for so many items. */
  const pump = (least = batch.items): void => {
    if (waiting.size === 0 || running >= lanes) return
    if (running > 0 && waiting.size < least && weight < batch.weight) return
    begin()
    pump(least)
  }

  return (item) =>
    Effect.callback((resume) => {
      const entry = { item, weight: weigh(item), resume }
      if (waiting.size >= queue.items || (waiting.size > 0 && weight + entry.weight > queue.weight)) {
        return resume(Exit.die(overflow))
      }
      waiting.add(entry)
      weight += entry.weight
      pump()
      return Effect.sync(() => remove(entry))
    })
}
