/** A page of a list with the exact total. */
import type { Resource } from "@tc/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { ListRequest } from "../Repository.ts"
import * as Planning from "./Planning.ts"
import type { Table } from "./Table.ts"

/** Newest first, or by position; both read an index, and ties break on `id`. */
const orders = {
  newest: "created_at DESC, id DESC",
  position: "position, created_at, id",
} as const

/** `%` and `_` mean themselves. */
const escape = (text: string) => text.replace(/[\\%_]/g, "\\$&")

/**
 * The page is found in an index and only then read from the table, so that a deep page does not read all rows before it.
 * The count is left out where the page itself tells the total.
 */
export const page = <R extends Resource.Any>(
  sql: SqlClient.SqlClient,
  resource: R,
  { table, columns, decode }: Table<R>,
  account_id: string,
  { page, per_page, q = "", where = {} }: ListRequest,
) => {
  const by = orders[resource.order ?? "newest"]
  const params: Array<unknown> = [account_id]
  const conditions = ["account_id = $1"]
  for (const [column, value] of Object.entries(where)) conditions.push(`"${column}" = $${params.push(value)}`)
  if (q !== "") conditions.push(`tc.fold("${resource.search}") LIKE tc.fold($${params.push(`%${escape(q)}%`)})`)
  const filter = conditions.join(" AND ")
  const offset = (page - 1) * per_page

  const rows = sql.unsafe<object>(
    `SELECT whole.* FROM (
      SELECT id, row_number() OVER () AS place FROM (
        SELECT id FROM ${table} WHERE ${filter} ORDER BY ${by} LIMIT $${params.length + 1} OFFSET $${params.length + 2}
      ) AS found
    ) AS page, LATERAL (SELECT ${columns} FROM ${table} WHERE account_id = $1 AND id = page.id LIMIT 1) AS whole
    ORDER BY page.place`,
    [...params, per_page, offset],
  )
  const count = sql.unsafe<{ readonly total: number }>(
    `SELECT count(*)::int AS total FROM ${table} WHERE ${filter}`,
    params,
  )
  const whole = Effect.gen(function* () {
    const found = (yield* rows).map(decode)
    const last = found.length < per_page && (found.length > 0 || offset === 0)
    return { rows: found, total: last ? offset + found.length : (yield* count)[0]!.total }
  })
  return q === "" ? whole : Planning.anew(sql, whole)
}
