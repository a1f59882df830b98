/** The queue as a whole, counted no further than anybody wants to know. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as Handovers from "./Handovers.ts"
import * as Planning from "./Planning.ts"
import type { Watermark } from "./Watermark.ts"
import { COUNTED_MAX, OVERDUE_MS, type Stats } from "../Deliveries.ts"

/** The deliveries of one class that fell due first, read off its index. */
const oldest = (isOfClass: string) => `
  (SELECT due_at FROM tc.deliveries WHERE due_at IS NOT NULL AND ${isOfClass} AND position IS NULL AND due_at <= $1
  ORDER BY due_at, id LIMIT ${COUNTED_MAX})`

const text = `
  SELECT least(count(*), ${COUNTED_MAX})::int AS due, min(due_at) AS oldest,
    least(count(*) FILTER (WHERE due_at < $2), ${COUNTED_MAX})::int AS overdue
  FROM (${oldest("NOT retry")} UNION ALL ${oldest("retry")}) AS d`

interface Row {
  readonly due: number
  readonly overdue: number
  readonly oldest: Date | null
}

export const stats = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, watermark: Watermark, millis: number) {
  const times = [millis, millis - OVERDUE_MS].map((time) => new Date(time).toISOString())
  yield* Planning.byKey(sql, Handovers.reclaim(sql, watermark, millis))
  const [row] = yield* Planning.inOrder(sql, sql.unsafe<Row>(text, times))
  const { due, overdue, oldest } = row!
  return { due, overdue, oldest_due_at: oldest?.getTime() ?? null } satisfies Stats
})
