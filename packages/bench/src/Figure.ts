/** A figure: ours against a reference in alternating rounds of one run, printed as a ratio beside its target. */

/** What was measured, round by round. */
export interface Rounds<A> {
  readonly reference: ReadonlyArray<A>
  /** Empty where ours cannot run yet. */
  readonly ours: ReadonlyArray<A>
}

/** One line of the table. */
export interface Figure extends Rounds<number> {
  readonly name: string
  /** A rate, where more is better, or milliseconds, where less is. */
  readonly unit: "/s" | "ms"
  /** The least ratio of ours to the reference, or the most milliseconds of ours; absent where it is only told. */
  readonly target?: { readonly ratio: number } | { readonly ms: number }
}

/** How many rounds count: many short ones, as a shared machine drifts by the minute. */
const count = 9

/** Runs one warming round of each and then those that count, taking turns at going first. */
export const alternate = async <A>(
  reference: () => Promise<A>,
  ours: (() => Promise<A>) | undefined,
): Promise<Rounds<A>> => {
  await reference()
  await ours?.()
  const rounds = { reference: new Array<A>(), ours: new Array<A>() }
  for (let round = 0; round < count; round++) {
    if (round % 2 === 0) rounds.reference.push(await reference())
    if (ours !== undefined) rounds.ours.push(await ours())
    if (round % 2 === 1) rounds.reference.push(await reference())
  }
  return rounds
}

/** The middle of the values, of which there must be one. */
export const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** The head of the table. */
export const head = (): string => row(["figure", "reference", "ours", "ours / reference", "target", "reached"])

/** A figure as a line of the table: medians, with the least and the most in brackets. */
export const line = (figure: Figure): string => {
  const { name, unit, target, reference, ours } = figure
  const ratios = ours.map((value, round) => value / reference[round]!)
  const goal = target === undefined ? "" : "ratio" in target ? `≥ ${target.ratio}` : `≤ ${target.ms} ms`
  return row([name, show(reference, unit), show(ours, unit), show(ratios, ""), goal, reached(figure, ratios)])
}

const reached = ({ target, ours }: Figure, ratios: ReadonlyArray<number>) => {
  if (target === undefined) return ""
  if (ours.length === 0) return "not measured"
  return ("ratio" in target ? median(ratios) >= target.ratio : median(ours) <= target.ms) ? "yes" : "NO"
}

const widths = [44, 28, 28, 22, 10, 0]

/** Cells as a line of the table. */
export const row = (cells: ReadonlyArray<string>) =>
  cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(" ")
    .trimEnd()

const show = (values: ReadonlyArray<number>, unit: string) => {
  if (values.length === 0) return "–"
  const range = `${digits(Math.min(...values))}–${digits(Math.max(...values))}`
  return `${digits(median(values))} (${range})${unit === "ms" ? " ms" : unit}`
}

/** Three digits that mean something. */
export const digits = (value: number) =>
  value.toLocaleString("en-US", value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 })
