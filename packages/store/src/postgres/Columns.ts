/** Many rows as parameters: an array for each of their columns, which PostgreSQL reads without parsing. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/**
 * The values of one column, any of which may be null. Drivers tell the type of an array by what is in it: numbers go as
 * text, for they may be of several, and so do nulls alone, which are of none.
 */
export const of = (values: ReadonlyArray<unknown>): unknown =>
  values.every((value) => value === null)
    ? `{${values.map(() => "NULL").join(",")}}`
    : values.map((value) => (typeof value === "number" ? `${value}` : value))

/** The types of columns, by name, as PostgreSQL calls them. */
export interface Types {
  readonly [column: string]: string
}

/** The types of a table's columns, asked for once. */
export const typesOf = (sql: SqlClient.SqlClient, table: string): Effect.Effect<Types, SqlError.SqlError> => {
  let known: Types | undefined
  const read = Effect.map(
    sql<{ readonly name: string; readonly type: string }>`
      SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped`,
    (columns) => (known = Object.fromEntries(columns.map(({ name, type }) => [name, type]))),
  )
  return Effect.suspend(() => (known === undefined ? read : Effect.succeed(known)))
}
