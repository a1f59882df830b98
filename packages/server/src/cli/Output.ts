/** How commands answer: a line that people read, or JSON that programs do. */
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON, for programs"), Flag.withDefault(false))

/** Prints a value as JSON, or as `lines` have it. */
export const print = <A>(asJson: boolean, value: A, lines: (value: A) => ReadonlyArray<string>) =>
  asJson
    ? Console.log(JSON.stringify(value))
    : Effect.forEach(lines(value), (line) => Console.log(line), { discard: true })

/** Columns under each other, two spaces apart. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}
