/** What scenarios are made of: rigs that end with them, rounds in turns, and how long it all takes. */
import type { Ledger } from "./Ledger.ts"
import type { Report } from "./Report.ts"
import * as Rig from "./Rig.ts"

/** One scenario; `length` scales its rounds: 1 for figures that count, less to try it. */
export type Scenario = (length: number) => Promise<Report>

/** Starts the contenders, all idle, and stops them at the end, whatever happens. */
export const withRigs = async <A>(
  contenders: ReadonlyArray<Rig.Contender>,
  use: (rigs: ReadonlyArray<Rig.Rig>) => Promise<A>,
): Promise<A> => {
  const rigs = new Array<Rig.Rig>()
  try {
    for (const contender of contenders) rigs.push(await Rig.start(contender))
    return await use(rigs)
  } finally {
    await Promise.all(rigs.map((rig) => rig.stop()))
  }
}

/** Deliveries that each contender makes before it is measured, in several rounds. */
const WARMING = 8_000
const WARMING_ROUNDS = 3

/** How many that is in all. */
export const warmedBy = (length: number): number => WARMING_ROUNDS * Math.ceil(WARMING * length)

/** Has all work until they are what they are after the first seconds of their lives: compiled, and connected. */
export const warm = async (rigs: ReadonlyArray<Rig.Rig>, length: number): Promise<void> => {
  const deliveries = warmedBy(length) / WARMING_ROUNDS
  for (let round = 0; round < WARMING_ROUNDS; round++) for (const rig of rigs) await rig.saturate(deliveries)
}

/** Runs each of `parts` once to warm it, then `count` rounds in which they take turns at going first; answers by part. */
export const rounds = async <A>(
  count: number,
  parts: ReadonlyArray<() => Promise<A>>,
): Promise<ReadonlyArray<ReadonlyArray<A>>> => {
  for (const part of parts) await part()
  const results = parts.map(() => new Array<A>())
  for (let round = 0; round < count; round++) {
    for (let turn = 0; turn < parts.length; turn++) {
      const part = (round + turn) % parts.length
      results[part]!.push(await parts[part]!())
    }
  }
  return results
}

/** The ledgers of the rigs by name. */
export const ledgers = async (rigs: ReadonlyArray<Rig.Rig>): Promise<Readonly<Record<string, Ledger>>> =>
  Object.fromEntries(await Promise.all(rigs.map(async (rig) => [rig.name, await rig.ledger()] as const)))

/** The middle of rounds' ratios to those of a reference, as a figure shows it: the reference, and ours beside it. */
export const paired = (project: ReadonlyArray<number>, reference: ReadonlyArray<number>) => {
  const middle = median(reference)
  return { project: median(project.map((value, round) => value / reference[round]!)) * middle, reference: middle }
}

/** The middle of the values, of which there must be one. */
export const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
