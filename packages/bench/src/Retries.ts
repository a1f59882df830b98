/** Endpoints that never answer, with retries for them, due or not, put into a database of ours that is at work. */
import { spawnSync } from "node:child_process"
import * as Contenders from "./Contenders.ts"
import * as Database from "./Database.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Receiver from "./Receiver.ts"

export interface Options {
  readonly endpoints: number
  /** Retries, spread evenly over the endpoints; each had one attempt, which timed out. */
  readonly retries: number
  /** Whether they have been due for up to a minute, or will be in an hour and during the day after that. */
  readonly due: boolean
}

export interface Dead {
  /** How many retries there are. */
  readonly retries: number
  readonly stop: () => Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** No run takes so long that one of the future falls due. */
const FUTURE = [HOUR_MS, 25 * HOUR_MS] as const

/** $1 the account's name, $2 the text of each event, $3 events. */
const events = `
INSERT INTO tc.events (account_id, id, event, occurred_at, tail)
SELECT a.id, uuidv7(), 'product.updated', now(), $2::text
FROM tc.accounts a, generate_series(1, $3::int) WHERE a.name = $1`

/** Every event to every endpoint: $1 the account's name, $2 and $3 the milliseconds from now between which they are due. */
const deliveries = `
INSERT INTO tc.deliveries
  (account_id, id, event_id, endpoint_id, event, status, attempt_count, retry, due_at, created_at, updated_at)
SELECT a.id, uuidv7(), v.id, e.id, v.event, 'pending', 1, true, 
  now() + ($2::int + random() * ($3::int - $2::int)) * interval '1 millisecond', now(), now()
FROM tc.accounts a
JOIN tc.events v ON v.account_id = a.id
JOIN tc.webhook_endpoints e ON e.account_id = a.id
WHERE a.name = $1`

/** The first attempt of each: $1 the account's name. */
const attempts = `
INSERT INTO tc.attempts (account_id, delivery_id, number, started_at, duration_ms, error)
SELECT d.account_id, d.id, 1, now() - interval '2 minutes', 30000, 'timeout'
FROM tc.deliveries d JOIN tc.accounts a ON a.id = d.account_id
WHERE a.name = $1`

/** The rest of an event's envelope after the id of the delivery; nobody reads it. */
const tail = `,"event":"product.updated","data":{"description":"${"x".repeat(900)}"}}`

/** Makes them in an account of their own; answers how to end their receiver. Each endpoint has an origin of its own. */
export const make = async (database: string, { endpoints, retries, due }: Options): Promise<Dead> => {
  const receiver = Receiver.start()
  const urls = (await receiver.call("listen", endpoints)).map((origin) => `${origin}${Receiver.SILENT}`)
  const name = "Dead"
  const account = `${name} 0`
  const each = Math.ceil(retries / endpoints)
  const subscriber = await Pipeline.start(Contenders.ours.module, database, {
    record: false,
    role: "accepting",
    accounts: 1,
    account: name,
  })
  await subscriber.call("subscribe", urls)
  await subscriber.stop()
  await Database.connected(database, async (client) => {
    await client.query("BEGIN")
    await client.query(events, [account, tail, each])
    await client.query(deliveries, [account, ...(due ? [-MINUTE_MS, 0] : FUTURE)])
    await client.query(attempts, [account])
    await client.query("COMMIT")
    // As old as they claim to be, they would have been through this long ago; and have been on the disk, too.
    await client.query("VACUUM (ANALYZE) tc.events, tc.deliveries, tc.attempts")
  })
  spawnSync("sync")
  return { retries: each * endpoints, stop: () => receiver.stop() }
}
