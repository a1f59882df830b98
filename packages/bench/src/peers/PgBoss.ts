/** The peer `pg-boss`, with batches, a result for each job, and workers that are notified and go on while batches are full. */
import { Pool } from "pg"
import { PgBoss } from "pg-boss"
import * as Batch from "../Batch.ts"
import type { Counts } from "../Ledger.ts"
import type { Options, Pipeline } from "../Pipeline.ts"
import * as Jobs from "./Job.ts"

/** What the table of figures says of it. */
export const note =
  "batchSize 100, localConcurrency 4, burstWhenBatchFull, notify; jobs added up to 100 at a time by insert; " +
  "the attempt is recorded as the job's output (perJobResults)"

const queue = "deliveries"

const counts = `
SELECT count(*) FILTER (WHERE state = 'completed')::int AS delivered,
  count(*) FILTER (WHERE state IN ('created', 'retry', 'active'))::int AS pending,
  count(*) FILTER (WHERE state = 'failed')::int AS failed,
  count(*) FILTER (WHERE state = 'cancelled')::int AS canceled
FROM pgboss.job WHERE name = '${queue}'`

export const makePipeline = async (databaseUrl: string, options: Options): Promise<Pipeline> => {
  const jobs = Jobs.make(options)
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  let recorded = 0

  const boss = new PgBoss({ connectionString: databaseUrl, max: 10, useListenNotify: true })
  boss.on("error", (error) => console.error(error))
  await boss.start()
  await boss.createQueue(queue, { notify: true, partition: true })
  const how = {
    batchSize: 100,
    localConcurrency: 4,
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
    perJobResults: true,
  } as const
  await boss.work<Jobs.Job>(queue, how, async (batch) => {
    const posted = batch.map(async ({ id, data }) => ({
      id,
      status: "completed" as const,
      output: await jobs.run(data),
    }))
    const results = await Promise.all(posted)
    // It tells nobody when it has written a batch: what follows here is not counted in its time.
    recorded += results.length
    return results
  })

  const add = Batch.make<Jobs.Job, void>({
    size: 100,
    parallel: 2,
    linger: 1,
    run: async (batch) => {
      await boss.insert(
        queue,
        batch.map((data) => ({ id: data.id, data })),
      )
      return batch.map(() => undefined)
    },
  })

  return {
    subscribe: jobs.subscribe,
    accept: (event, data, account) => Promise.all(jobs.of(event, data, account).map(add)),
    recorded: () => recorded,
    counts: async () => (await pool.query<Counts>(counts)).rows[0]!,
  }
}
