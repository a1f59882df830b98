/** A page of a list with the exact total. */
import { type Errors, Limits, type Resource } from "@tc/domain"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { ListRequest } from "../Repository.ts"
import * as Sizes from "../Sizes.ts"
import * as Planning from "./Planning.ts"
import type { Statement, View } from "./Table.ts"

/** Newest first, or by position; both read an index, and ties break on `id`. */
const orders = {
  newest: "created_at DESC, id DESC",
  position: "position, created_at, id",
} as const

/** A row, and the bytes of free-form JSON in all rows of its page: where they are too many, the rows are not read. */
interface Found {
  readonly page_bytes?: number
}

/** `%` and `_` mean themselves. */
const escape = (text: string) => text.replace(/[\\%_]/g, "\\$&")

/** The two statements of a page: its rows, found in an index and only then read from the table, and how many there are. */
export const statements = (
  resource: Resource.Any,
  { table, columns, bytes, isSized }: Pick<View<unknown>, "table" | "columns" | "bytes" | "isSized">,
  account_id: string,
  { page, per_page, q = "", where = {}, max_bytes = Limits.LIST_MAX_BYTES }: ListRequest,
): { readonly rows: Statement; readonly count: Statement } => {
  const by = orders[resource.order ?? "newest"]
  const params: Array<unknown> = [account_id]
  const conditions = ["account_id = $1"]
  for (const [column, value] of Object.entries(where)) conditions.push(`"${column}" = $${params.push(value)}`)
  if (q !== "") conditions.push(`tc.fold("${resource.search}") LIKE tc.fold($${params.push(`%${escape(q)}%`)})`)
  const filter = conditions.join(" AND ")
  const [limit, skip, most] = [1, 2, 3].map((nth) => `$${params.length + nth}`)
  const one = (what: string, also = "") =>
    `LATERAL (SELECT ${what} FROM ${table} WHERE account_id = $1 AND id = page.id${also} LIMIT 1)`
  const found = `(
    SELECT id, row_number() OVER () AS place FROM (
      SELECT id FROM ${table} WHERE ${filter} ORDER BY ${by} LIMIT ${limit} OFFSET ${skip}
    ) AS found
  ) AS page`
  const paged = [...params, per_page, (page - 1) * per_page]
  const rows = !isSized
    ? { text: `SELECT whole.* FROM ${found}, ${one(columns)} AS whole ORDER BY page.place`, params: paged }
    : {
        text: `SELECT whole.*, page_bytes FROM (
            SELECT page.*, (sum(size.bytes) OVER ())::float8 AS page_bytes FROM ${found}, ${one(`${bytes} AS bytes`)} AS size
          ) AS page LEFT JOIN ${one(columns, ` AND page_bytes <= ${most}`)} AS whole ON true ORDER BY page.place`,
        params: [...paged, max_bytes],
      }
  return { rows, count: { text: `SELECT count(*)::int AS total FROM ${table} WHERE ${filter}`, params } }
}

/** A deep page does not read all rows before it. The count is left out where the page itself tells the total. */
export const page = <A>(
  sql: SqlClient.SqlClient,
  resource: Resource.Any,
  view: View<A>,
  account_id: string,
  request: ListRequest,
): Effect.Effect<{ readonly rows: ReadonlyArray<A>; readonly total: number }, Errors.Invalid | SqlError.SqlError> => {
  const { page, per_page, q = "", max_bytes = Limits.LIST_MAX_BYTES } = request
  const { rows, count } = statements(resource, view, account_id, request)
  const offset = (page - 1) * per_page
  const counted = Effect.map(sql.unsafe<{ readonly total: number }>(count.text, count.params), ([row]) => row!.total)
  const whole = Effect.gen(function* () {
    const read = yield* sql.unsafe<Found>(rows.text, rows.params)
    if ((read[0]?.page_bytes ?? 0) > max_bytes) return yield* Sizes.pageTooLarge(max_bytes)
    const found = read.map(view.decode)
    const last = found.length < per_page && (found.length > 0 || offset === 0)
    return { rows: found, total: last ? offset + found.length : yield* counted }
  })
  return q === "" ? whole : Planning.anew(sql, whole)
}
