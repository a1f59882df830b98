/** A resource as a table: the statements that write its rows, and rows as PostgreSQL gives them back. */
import type { Resource } from "@tc/domain"
import { Schema, type SchemaAST } from "effect"
import * as Columns from "./Columns.ts"

/** A statement and what goes into its `$1`, `$2`, … */
export interface Statement {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
}

/** Objects and arrays are kept as the text of their JSON, which is given back character for character. */
const isJson = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Objects" || ast._tag === "Arrays" || (ast._tag === "Union" && ast.types.some(isJson))

/** What a list reads of each row. */
export interface View<A> {
  readonly table: string
  readonly columns: string
  /** The bytes of a row's JSON as an expression. */
  readonly bytes: string
  readonly isSized: boolean
  readonly decode: (row: object) => A
}

/** A row as the driver gives it, in the form that every storage shares: times as text. */
export const plain = (row: object): { [column: string]: unknown } =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, value instanceof Date ? value.toISOString() : value]),
  )

const listed = (columns: ReadonlyArray<string>) => columns.map((column) => `"${column}"`).join(", ")

export interface Table<R extends Resource.Any> extends ReturnType<typeof make<R>> {}

export const make = <R extends Resource.Any>(resource: R) => {
  const table = `tc.${resource.path}`
  const fields = (resource.row as unknown as { readonly fields: Record<string, Schema.Top> }).fields
  const json = new Set(resource.columns.filter((column) => isJson(fields[column]!.ast)))
  const columns = listed(resource.columns)
  const writable = resource.columns.filter((column) => column !== "id" && column !== "account_id")
  const insert = `INSERT INTO ${table} (${columns}) VALUES (${resource.columns.map((_, index) => `$${index + 1}`).join(", ")})`
  const update = `UPDATE ${table} SET ${writable.map((column, index) => `"${column}" = $${index + 3}`).join(", ")} WHERE account_id = $1 AND id = $2`
  // The length of a text is known without reading it.
  const bytes = [...json].map((column) => `coalesce(octet_length("${column}"::text), 0)`).join(" + ")
  const decodeRow = Schema.decodeUnknownSync(resource.row)
  const decodeSummary = Schema.decodeUnknownSync(resource.summary)

  const valueOf = (row: Resource.RowOf<R>, column: string) => {
    const value = (row as unknown as { readonly [column: string]: unknown })[column]
    return json.has(column) && value !== null ? JSON.stringify(value) : value
  }

  const parsed = (row: object) => {
    const values = plain(row)
    for (const column of json) {
      const value = values[column]
      if (typeof value === "string") values[column] = JSON.parse(value)
    }
    return values
  }

  /** A row of the table, checked against the schema. */
  const decode = (row: object): Resource.RowOf<R> => decodeRow(parsed(row))

  return {
    table,
    columns,
    whole: { table, columns, bytes: bytes === "" ? "0" : bytes, isSized: bytes !== "", decode },
    summary: {
      table,
      columns: listed(resource.summarized),
      bytes: "",
      isSized: false,
      decode: (row: object): Resource.SummaryOf<R> => decodeSummary(parsed(row)),
    },
    /** The values of a row as they are written, in the order of the columns. */
    values: (row: Resource.RowOf<R>): ReadonlyArray<unknown> => resource.columns.map((column) => valueOf(row, column)),
    insert: (values: ReadonlyArray<unknown>): Statement => ({ text: insert, params: values }),
    /** Many rows at once, given the types of the columns. */
    insertAll: (rows: ReadonlyArray<ReadonlyArray<unknown>>, types: Columns.Types): Statement => ({
      text: `INSERT INTO ${table} (${columns}) SELECT * FROM unnest(${resource.columns.map((column, nth) => `$${nth + 1}::${types[column]}[]`).join(", ")})`,
      params: resource.columns.map((_, nth) => Columns.of(rows.map((values) => values[nth]))),
    }),
    update: (row: Resource.RowOf<R>): Statement => ({
      text: update,
      params: [row.account_id, row.id, ...writable.map((column) => valueOf(row, column))],
    }),
    decode,
  }
}
