/** A delivery pipeline under measurement: events accepted, delivered and recorded, run in a process of its own. */
import { setTimeout } from "node:timers/promises"
import * as Child from "./Child.ts"

/** What the floor and our service must both offer. */
export interface Pipeline {
  /** Makes one endpoint per URL, the only active ones from now on; answers their signing secrets, in the same order. */
  readonly subscribe: (urls: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
  /** Accepts one event with this data for every endpoint; resolves once it and its deliveries are committed. */
  readonly accept: (event: string, data: object) => Promise<unknown>
  /** How many deliveries have been recorded as succeeded, committed, since the process started. */
  readonly recorded: () => number | Promise<number>
}

/** A contender: a module that exports this function by this name. The database is empty. */
export interface Contender {
  readonly makePipeline: (databaseUrl: string) => Promise<Pipeline>
}

/** How many deliveries may be open at a time: a burst deep enough to batch, with no queue that grows without end. */
const window = 2_000
/** How many callers accept events at the same time. */
const callers = 256

/** About 1 KiB of JSON when enveloped: a product as the API answers it. */
const data = {
  id: "0198a3f0-7c1e-7b6a-9d55-2f1c8e4b7a10",
  account_id: "0198a3f0-7c1e-7b6a-9d55-000000000001",
  name: "Heavyweight Cotton Hoodie",
  description: 'A hoodie that says "yours": brushed inside, two print areas, made to order. '.repeat(6).trim(),
  store_id: "0198a3f0-7c1e-7b6a-9d55-000000000002",
  customizable: true,
  base_image_url: "https://images.example.com/products/heavyweight-cotton-hoodie/front-2048.png",
  variants: [{ size: "M", color: "navy", sku: "HCH-M-NVY" }],
  created_at: "2026-11-21T09:00:00.000Z",
  updated_at: "2026-11-21T09:00:00.000Z",
}

let pipeline: Pipeline

const run = async (events: number, fanOut: number): Promise<number> => {
  const before = await pipeline.recorded()
  let accepted = 0
  let recorded = 0
  const caller = async () => {
    while (accepted < events) {
      if (accepted * fanOut - recorded >= window) await setTimeout(2)
      else {
        accepted += 1
        await pipeline.accept("product.updated", data)
      }
    }
  }
  const start = performance.now()
  const accepting = Promise.all(Array.from({ length: callers }, caller))
  while (recorded < events * fanOut) {
    await setTimeout(2)
    recorded = (await pipeline.recorded()) - before
  }
  const elapsed = performance.now() - start
  await accepting
  return elapsed
}

const methods = {
  start: async (module: string, databaseUrl: string): Promise<void> => {
    const contender: Contender = await import(module)
    pipeline = await contender.makePipeline(databaseUrl)
  },
  subscribe: (urls: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => pipeline.subscribe(urls),
  /** Accepts `events` events; answers the milliseconds from the first accept to the last recorded delivery. */
  run,
}

if (process.argv[1] === import.meta.filename) Child.expose(methods)

/** A pipeline in its own process. */
export type Running = Child.Child<typeof methods>

/** Starts a contender's pipeline as a child of this process. */
export const start = async (module: string, databaseUrl: string): Promise<Running> => {
  const child = Child.start<typeof methods>(import.meta.url)
  await child.call("start", module, databaseUrl)
  return child
}
