/** What a scenario came to: figures beside what they are measured against, with a ledger for each contender. */
import * as Conditions from "./Conditions.ts"
import type { Ledger } from "./Ledger.ts"

/** What a figure must reach: a ratio to its reference, a distance from it in the figure's own unit, or a value whatever that is. */
export type Target =
  | { readonly least: number }
  | { readonly most: number }
  | { readonly within: number }
  | { readonly at_most: number }

/** One figure of ours; its name ends in its unit, `_per_second` or `_ms`. */
export interface Figure {
  readonly name: string
  readonly project: number
  /** The same figure of what it is compared with, measured in the same run. */
  readonly reference: number
  /** What that is: the floor, or our own engine without what the scenario adds. */
  readonly against: "floor" | "without"
  readonly target?: Target
}

/** A peer: deliveries per second of ours and of it, or why it was not measured. */
export interface Peer {
  readonly name: string
  readonly per_second: Pick<Figure, "project" | "reference"> | null
  /** How it was configured, or why it was not measured. */
  readonly note: string
}

/** A scenario's outcome. The first figure is the one that the scenario is about. */
export interface Report {
  readonly scenario: string
  readonly figures: ReadonlyArray<Figure>
  readonly peers: ReadonlyArray<Peer>
  /** By contender; `project` is ours. */
  readonly ledgers: Readonly<Record<string, Ledger>>
  /** All that decides what was run. */
  readonly spec: Readonly<Record<string, unknown>>
}

export const ratio = ({ project, reference }: Figure): number => project / reference

/** Whether a figure reaches its target; null where it has none. */
export const reached = (figure: Figure): boolean | null => {
  const { target, project, reference } = figure
  if (target === undefined) return null
  if ("least" in target) return ratio(figure) >= target.least
  if ("at_most" in target) return project <= target.at_most
  return "most" in target ? ratio(figure) <= target.most : project - reference <= target.within
}

/** The target in words. */
export const goal = ({ target, against }: Figure): string => {
  if (target === undefined) return ""
  if ("least" in target) return `≥ ${target.least} × ${against}`
  if ("at_most" in target) return `≤ ${target.at_most}`
  return "most" in target ? `≤ ${target.most} × ${against}` : `≤ ${against} + ${target.within} ms`
}

/** Whether a ledger does not balance: then no figure of the run means anything. */
export const isVoid = ({ ledgers }: Report): boolean => Object.values(ledgers).some(({ balanced }) => !balanced)

/** Four digits that mean something. */
const round = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(4)) : null)

const column = (figures: ReadonlyArray<Figure>, value: (figure: Figure) => number) =>
  Object.fromEntries(figures.map((figure) => [figure.name, round(value(figure))]))

/** The report as one JSON value. */
export const toJson = async (report: Report): Promise<Readonly<Record<string, unknown>>> => {
  const { scenario, figures, peers, ledgers, spec } = report
  const against = (what: Figure["against"]) => figures.filter((figure) => figure.against === what)
  const [headline] = figures
  return {
    scenario,
    void: isVoid(report),
    headline: headline?.name,
    project: column(figures, ({ project }) => project),
    floor: column(against("floor"), ({ reference }) => reference),
    without: column(against("without"), ({ reference }) => reference),
    ratio: headline === undefined ? null : round(ratio(headline)),
    ratios: column(figures, ratio),
    targets: figures
      .filter(({ target }) => target !== undefined)
      .map((figure) => ({ figure: figure.name, target: goal(figure), reached: reached(figure) })),
    peers,
    ledger: ledgers["project"],
    ledgers,
    conditions: await Conditions.read(),
    spec,
  }
}
