/** Group commit in the process: what arrives while a statement is under way goes out together with the next. */
import { Effect, Exit, type Fiber } from "effect"

export interface Options<Item, E> {
  /** Starts the fiber of a statement, with the services of whoever owns the batcher. */
  readonly fork: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>
  /** Statements under way at once. */
  readonly lanes: number
  /** Items in one statement at most. */
  readonly limit: number
  /** The weight of all items in one statement at most; an item that weighs more goes alone. */
  readonly capacity: number
  readonly weigh: (item: Item) => number
  /** Writes some items, and answers how each of them fared. */
  readonly write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<void, E>>>
}

interface Entry<Item, E> {
  readonly item: Item
  readonly resume: (exit: Exit.Exit<void, E>) => void
}

/** Nothing waits for company: a lone item goes out at once, and a batch is as large as the load makes it. */
export const make = <Item, E>(options: Options<Item, E>): ((item: Item) => Effect.Effect<void, E>) => {
  const waiting: Array<Entry<Item, E>> = []
  let running = 0

  const take = (): ReadonlyArray<Entry<Item, E>> => {
    let weight = 0
    const end = waiting.findIndex(({ item }, index) => {
      weight += options.weigh(item)
      return index > 0 && (index >= options.limit || weight > options.capacity)
    })
    return waiting.splice(0, end === -1 ? waiting.length : end)
  }

  const pump = () => {
    while (running < options.lanes && waiting.length > 0) {
      running += 1
      const batch = take()
      options.fork(options.write(batch.map(({ item }) => item))).addObserver((exit) => {
        running -= 1
        batch.forEach(({ resume }, index) => resume(Exit.isSuccess(exit) ? exit.value[index]! : exit))
        pump()
      })
    }
  }

  return (item) =>
    Effect.callback((resume) => {
      waiting.push({ item, resume })
      pump()
    })
}
