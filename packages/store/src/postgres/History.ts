/** What happened to a record: its events, found by the id that stands in their text. */
import { Event, Page } from "@tc/domain"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { HistoryRequest } from "../Events.ts"
import * as Delivery from "./Delivery.ts"
import { plain } from "./Table.ts"

/** The id of the record that an event is about, as an expression: the index is on this very text. */
export const subject = `substr(tail, length(event) + ${Event.SUBJECT_AT + 1}, 36)`

const decode = Schema.decodeUnknownSync(Event.EventSummary)

/** All events of the record first: to look for the newest, the planner would walk through those of the whole account. */
const text = `WITH found AS MATERIALIZED (
    SELECT id, event, occurred_at FROM tc.events
    WHERE account_id = $1 AND ${subject} = $2 AND occurred_at >= $3 AND split_part(event, '.', 1) = ANY ($4::text[])
  ), page AS (SELECT * FROM found ORDER BY id DESC LIMIT $5 OFFSET $6)
  SELECT page.*, total, (SELECT count(*)::int FROM tc.deliveries d WHERE d.account_id = $1 AND ${Delivery.isOf("d", "page.id")}) AS delivery_count
  FROM (SELECT count(*)::int AS total FROM found) AS all_of_it LEFT JOIN page ON true ORDER BY page.id DESC`

interface Row {
  /** Null where the page is empty. */
  readonly id: string | null
  readonly total: number
}

export const history = (sql: SqlClient.SqlClient, account_id: string, request: HistoryRequest) => {
  const { record_id, told_as, since, page, per_page } = request
  const params = [account_id, record_id, since, [...told_as], per_page, (page - 1) * per_page]
  return Effect.map(sql.unsafe<Row>(text, params), (rows) =>
    Page.make(
      request,
      rows.filter(({ id }) => id !== null).map((row) => decode(plain(row))),
      rows[0]?.total ?? 0,
    ),
  )
}
