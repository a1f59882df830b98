/** The peer `BullMQ`, on Redis, with a worker of high concurrency as its page on concurrency advises for jobs that wait. */
import { Queue, Worker } from "bullmq"
import { Redis } from "ioredis"
import * as Batch from "../Batch.ts"
import type { Options, Pipeline } from "../Pipeline.ts"
import * as Jobs from "./Job.ts"

/** What the table of figures says of it. */
export const note =
  "on Redis with appendonly, synced every second, so less durable than the others; concurrency 128; jobs added up to 100 " +
  "at a time by addBulk; the attempt is recorded as the job's return value"

export const makePipeline = async (redisUrl: string, options: Options): Promise<Pipeline> => {
  const jobs = Jobs.make(options)
  const name = `deliveries-${process.pid}`
  const connect = () => new Redis(redisUrl, { maxRetriesPerRequest: null })
  const queue = new Queue<Jobs.Job>(name, { connection: connect() })
  let recorded = 0

  const worker = new Worker<Jobs.Job>(name, ({ data }) => jobs.run(data), { connection: connect(), concurrency: 128 })
  worker.on("completed", () => (recorded += 1))
  worker.on("error", (error) => console.error(error))
  await worker.waitUntilReady()

  const add = Batch.make<Jobs.Job, void>({
    size: 100,
    parallel: 2,
    linger: 1,
    run: async (batch) => {
      await queue.addBulk(batch.map((data) => ({ name: "deliver", data })))
      return batch.map(() => undefined)
    },
  })

  return {
    subscribe: jobs.subscribe,
    accept: (event, data, account) => Promise.all(jobs.of(event, data, account).map(add)),
    recorded: () => recorded,
    counts: async () => {
      const { completed = 0, failed = 0, ...open } = await queue.getJobCounts()
      return { delivered: completed, pending: Object.values(open).reduce((sum, n) => sum + n, 0), failed, canceled: 0 }
    },
  }
}
