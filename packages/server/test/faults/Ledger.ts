/** What became of all that was accepted, as the database has it. */
import type { Attempt, Delivery, Fleet } from "./Fleet.ts"

export interface Ledger {
  /** How many there are of each event. */
  readonly events: ReadonlyMap<string, number>
  readonly deliveries: ReadonlyArray<{ readonly delivery: Delivery; readonly attempts: ReadonlyArray<Attempt> }>
  /** How many deliveries of an endpoint are in each state; those that are under way are pending. */
  readonly of: (endpoint_id: string) => Readonly<Record<"succeeded" | "pending" | "failed" | "canceled", number>>
}

/** Deliveries that have not ended, of one endpoint or of all. */
export const open = async ({ query }: Fleet, endpoint_id: string | null = null): Promise<number> => {
  const [row] = await query<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM tc.deliveries
    WHERE status IN ('pending', 'delivering') AND endpoint_id = coalesce($1, endpoint_id)`,
    [endpoint_id],
  )
  return row?.count ?? 0
}

export const read = async (fleet: Fleet): Promise<Ledger> => {
  const deliveries = await fleet.deliveries()
  const attempts = Map.groupBy(await fleet.attempts(), ({ delivery_id }) => delivery_id)
  const events = await fleet.query<{ readonly event: string; readonly count: number }>(
    "SELECT event, count(*)::int AS count FROM tc.events GROUP BY event",
  )
  return {
    events: new Map(events.map(({ count, event }) => [event, count])),
    deliveries: deliveries.map((delivery) => ({ delivery, attempts: attempts.get(delivery.id) ?? [] })),
    of: (endpoint_id) => {
      const its = deliveries.filter((delivery) => delivery.endpoint_id === endpoint_id)
      const inState = (...states: ReadonlyArray<string>) => its.filter(({ status }) => states.includes(status)).length
      return {
        succeeded: inState("succeeded"),
        pending: inState("pending", "delivering"),
        failed: inState("failed"),
        canceled: inState("canceled"),
      }
    },
  }
}
