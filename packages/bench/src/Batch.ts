/** Group commit in the process: what is asked while a statement runs travels together in the next one. */

/** How a batch runs. */
export interface Options<Item, Result> {
  /** The most items in one run. */
  readonly size: number
  /** The most runs at a time. */
  readonly parallel: number
  /** How long the first item of a batch waits for company, in milliseconds. */
  readonly linger: number
  /** Handles the items together and answers one result for each, in their order. */
  readonly run: (items: ReadonlyArray<Item>) => Promise<ReadonlyArray<Result>>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** A function for one item that resolves when the batch it travelled in has run. */
export const make = <Item, Result>(options: Options<Item, Result>): ((item: Item) => Promise<Result>) => {
  let waiting: Array<Waiting<Item, Result>> = []
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const run = async (batch: ReadonlyArray<Waiting<Item, Result>>) => {
    running += 1
    try {
      const results = await options.run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(results[index]!))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    running -= 1
    start()
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (running >= options.parallel || waiting.length === 0) return
    void run(waiting.splice(0, options.size))
    start()
  }

  const start = () => {
    if (waiting.length >= options.size) flush()
    else if (waiting.length > 0 && running < options.parallel) timer ??= setTimeout(flush, options.linger)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      start()
    })
}
