/** The peer `graphile-worker`, with its batching on as its page on performance advises, and attempts in a table beside it. */
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import { Pool } from "pg"
import * as Batch from "../Batch.ts"
import type * as Sender from "../FloorSender.ts"
import type { Counts } from "../Ledger.ts"
import type { Options, Pipeline } from "../Pipeline.ts"
import * as Jobs from "./Job.ts"

/** What the table of figures says of it. */
export const note =
  "concurrentJobs 128, localQueue 500, completeJobBatchDelay 0; jobs added up to 100 at a time by addJobs; " +
  "a row for each attempt, inserted up to 100 at a time before the job completes"

const attempts = `
CREATE TABLE attempts (
  delivery_id uuid NOT NULL, number int NOT NULL, started_at timestamptz NOT NULL, duration_ms int NOT NULL,
  status_code int, response_excerpt text, PRIMARY KEY (delivery_id, number)
)`

const record = `
INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status_code, response_excerpt)
SELECT d, 1, s, m, c, e FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::text[]) AS u (d, s, m, c, e)`

const counts = `
SELECT (SELECT count(*)::int FROM attempts) AS delivered,
  (SELECT count(*)::int FROM graphile_worker._private_jobs j
   WHERE NOT EXISTS (SELECT FROM attempts a WHERE a.delivery_id = (j.payload ->> 'id')::uuid)) AS pending,
  0 AS failed, 0 AS canceled`

const task = "deliver"

export const makePipeline = async (databaseUrl: string, options: Options): Promise<Pipeline> => {
  const jobs = Jobs.make(options)
  const pool = new Pool({ connectionString: databaseUrl, max: 2 })
  await pool.query(attempts)
  let recorded = 0

  const settle = Batch.make<Sender.Result, void>({
    size: 100,
    parallel: 2,
    linger: 5,
    run: async (results) => {
      await pool.query({
        name: "record",
        text: record,
        values: [
          results.map((result) => result.delivery),
          results.map((result) => result.startedAt),
          results.map((result) => result.duration),
          results.map((result) => result.status),
          results.map((result) => result.excerpt),
        ],
      })
      return results.map(() => undefined)
    },
  })

  const quiet = new Logger(() => (level, message) => {
    if (level === "error") console.error(message)
  })
  const worker = {
    connectionString: databaseUrl,
    concurrentJobs: 128,
    maxPoolSize: 10,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    logger: quiet,
  }
  const runner = await run({
    preset: { worker },
    taskList: { [task]: async (payload) => settle(await jobs.run(payload as Jobs.Job)) },
    crontab: "",
    noHandleSignals: true,
  })
  runner.events.on("job:success", () => (recorded += 1))
  const utils = await makeWorkerUtils({ preset: { worker } })

  const add = Batch.make<Jobs.Job, void>({
    size: 100,
    parallel: 2,
    linger: 1,
    run: async (batch) => {
      await utils.addJobs(batch.map((payload) => ({ identifier: task, payload })))
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
