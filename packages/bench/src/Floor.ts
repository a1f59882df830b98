/** The floor: the least a durable delivery pipeline must do, by hand in plain Node, to measure ours against. */
import { randomUUID } from "node:crypto"
import { Pool } from "pg"
import * as Batch from "./Batch.ts"
import * as Sender from "./FloorSender.ts"
import * as Tables from "./FloorTables.ts"
import type { Options, Pipeline } from "./Pipeline.ts"
import * as StatusCounts from "./StatusCounts.ts"
import * as Uuid from "./Uuid.ts"

interface Event {
  readonly account: string
  readonly id: string
  readonly name: string
  readonly occurredAt: string
  /** The exact bytes of `data`, kept as text. */
  readonly payload: string
}

interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly endpoint_id: string
}

/** The id of account number n. */
const accountOf = (n: number) => `0198a3f0-7c1e-7b6a-9d55-${String(n + 1).padStart(12, "0")}`
/** Whoever owns a lease writes the result: one id per process. */
const owner = randomUUID()

/**
 * Events wait for company and are committed up to 100 in one statement, together with their deliveries, which are born
 * leased to this process. After the commit each delivery is sent from memory; its result waits for company in turn.
 * Retries and recovery would claim from `deliveries_due`; nothing fails here, so the floor never does.
 */
export const makePipeline = async (databaseUrl: string, { record, accounts }: Options): Promise<Pipeline> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 4 })
  await pool.query(record ? Tables.tables + Tables.records : Tables.tables)
  let endpoints = new Map<string, Sender.Endpoint>()
  let recorded = 0

  const settle = Batch.make<Sender.Result & { readonly account: string }, void>({
    size: 100,
    parallel: 2,
    linger: 5,
    run: async (results) => {
      const { rowCount } = await pool.query({
        name: "settle",
        text: Tables.settle,
        values: [
          results.map((result) => result.account),
          results.map((result) => result.delivery),
          results.map((result) => result.startedAt),
          results.map((result) => result.duration),
          results.map((result) => result.status),
          results.map(() => null),
          results.map((result) => result.excerpt),
          owner,
        ],
      })
      if (rowCount !== results.length) throw new Error("a lease was lost")
      recorded += results.length
      return results.map(() => undefined)
    },
  })

  const deliver = async (event: Event, delivery: Delivery) => {
    const body = Buffer.from(
      `{"id":"${delivery.id}","event":"${event.name}","account_id":"${event.account}","occurred_at":"${event.occurredAt}",` +
        `"api_version":"2026-11","data":${event.payload}}`,
    )
    const result = await Sender.send(endpoints.get(delivery.endpoint_id)!, event.name, delivery.id, body)
    await settle({ ...result, account: event.account })
  }

  const accept = Batch.make<Event, void>({
    size: 100,
    parallel: 2,
    linger: 1,
    run: async (events) => {
      const { rows } = await pool.query<Delivery>({
        name: "accept",
        text: record ? Tables.acceptRecord : Tables.accept,
        values: [
          events.map((event) => event.account),
          events.map((event) => event.id),
          events.map((event) => event.name),
          events.map((event) => event.occurredAt),
          events.map((event) => event.payload),
          owner,
        ],
      })
      const byId = new Map(events.map((event) => [event.id, event]))
      // Not awaited: the caller's event is accepted. A rejection ends the process, and with it the benchmark.
      for (const delivery of rows) void deliver(byId.get(delivery.event_id)!, delivery)
      return events.map(() => undefined)
    },
  })

  return {
    accept: (name, data, account) => {
      const occurredAt = new Date().toISOString()
      return accept({ account: accountOf(account), id: Uuid.v7(), name, occurredAt, payload: JSON.stringify(data) })
    },
    recorded: () => recorded,
    counts: () => StatusCounts.read(pool, Tables.counts),
    subscribe: async (urls) => {
      const secrets = urls.map(() => `whsec_${randomUUID()}`)
      await pool.query("UPDATE endpoints SET status = 'disabled'")
      const { rows } = await pool.query<{ id: string; url: string; secret: string }>(
        "INSERT INTO endpoints (account_id, url, secret) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) RETURNING *",
        [urls.map((_, endpoint) => accountOf(endpoint % accounts)), urls, secrets],
      )
      endpoints = new Map(rows.map((row) => [row.id, Sender.endpoint(row.url, row.secret)]))
      return secrets
    },
  }
}
