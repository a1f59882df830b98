/** One page of an account's deliveries, newest first, and how many there are. */
import { type Delivery, type Id, Page } from "@tc/domain"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { idsIn, type ListRequest } from "../Deliveries.ts"
import { show } from "./Delivery.ts"

/** The two statements. A span of time is one of ids, with which the indexes of deliveries end that have an account or endpoint. */
export const statements = (account_id: Id.AccountId, request: ListRequest) => {
  const { from, before } = idsIn(request)
  const params: Array<string> = [account_id]
  const conditions = ["account_id = $1"]
  const add = (condition: string, value: string | undefined) => {
    if (value !== undefined) conditions.push(`${condition} $${params.push(value)}`)
  }
  add("endpoint_id =", request.endpoint_id)
  add("status =", request.status)
  add("event =", request.event)
  add("id >=", from)
  add("id <", before)
  const matching = `FROM tc.deliveries WHERE ${conditions.join(" AND ")}`
  const [limit, skip] = [1, 2].map((nth) => `$${params.length + nth}`)
  return {
    page: {
      text: `SELECT * ${matching} ORDER BY id DESC LIMIT ${limit} OFFSET ${skip}`,
      params: [...params, request.per_page, (request.page - 1) * request.per_page],
    },
    count: { text: `SELECT count(*)::int AS total ${matching}`, params },
  }
}

export const list = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  account_id: Id.AccountId,
  request: ListRequest,
): Effect.fn.Return<Page.Page<Delivery.Delivery>, SqlError.SqlError> {
  const { page, count } = statements(account_id, request)
  const rows = yield* sql.unsafe<object>(page.text, page.params)
  const [counted] = yield* sql.unsafe<{ readonly total: number }>(count.text, count.params)
  return Page.make(request, rows.map(show), counted!.total)
})
