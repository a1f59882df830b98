/** What a row owes to other rows: references that lead somewhere, columns taken over, unique values, a position. */
import { Errors, Limits, type Resource } from "@tc/domain"
import { Result } from "effect"
import * as Refusals from "../Refusals.ts"
import * as Relations from "../Relations.ts"
import type { Memory } from "./Memory.ts"

type Columns = { readonly [column: string]: unknown }

/** A row whose columns are looked up by name. */
const columnsOf = (row: object) => row as Columns

const pick = (row: object, names: ReadonlyArray<string>): Columns =>
  Object.fromEntries(names.map((name) => [name, columnsOf(row)[name]]))

/** The columns that a row takes over through references that it did not have `before`; fails where one leads nowhere. */
export const taken = (
  memory: Memory["Service"],
  resource: Resource.Any,
  account_id: string,
  row: object,
  before: object = {},
): Result.Result<Columns, Errors.Invalid> => {
  let found: Columns = {}
  for (const [field, { to, name, copies = [] }] of Object.entries(resource.references ?? {})) {
    const id = columnsOf(row)[field]
    if (id === columnsOf(before)[field]) continue
    const parent = memory.recordsAt(to, account_id).get(String(id))
    if (parent === undefined) return Result.fail(Errors.missingReference(field, name))
    found = { ...found, ...pick(parent, copies) }
  }
  return Result.succeed(found)
}

/** Fails when another row has the row's value in a unique column. */
export const free = (
  resource: Resource.Any,
  rows: Iterable<Resource.AnyRow>,
  row: Resource.AnyRow,
): Result.Result<void, Errors.Conflict> => {
  const others = [...rows].filter(({ id }) => id !== row.id)
  for (const [column, code] of Object.entries(resource.unique ?? {})) {
    const value = columnsOf(row)[column]
    if (others.some((other) => columnsOf(other)[column] === value))
      return Result.fail(Refusals.valueTaken(column, code))
  }
  return Result.void
}

/** The next position for a row that is given none: after the last of those it stands among, the first being 1. */
export const position = ({ position_within }: Resource.Any, rows: Iterable<Resource.AnyRow>, row: object): Columns => {
  if (position_within === undefined || columnsOf(row)["position"] !== null) return {}
  const siblings = [...rows].filter((other) => columnsOf(other)[position_within] === columnsOf(row)[position_within])
  const last = siblings.reduce((most, other) => Math.max(most, Number(columnsOf(other)["position"])), 0)
  return { position: Math.min(last + 1, Limits.POSITION_MAX) }
}

/** Brings the columns that other rows took over from `row` up to date, untold. */
export const spread = (memory: Memory["Service"], resource: Resource.Any, row: Resource.AnyRow): void => {
  for (const { resource: child, field } of Relations.children(resource)) {
    const copies = child.references?.[field]?.copies ?? []
    const rows = memory.records(child, row.account_id)
    for (const below of copies.length === 0 ? [] : rows.values()) {
      if (columnsOf(below)[field] === row.id) rows.set(below.id, { ...below, ...pick(row, copies) })
    }
  }
}
