/** `throughput`: as many deliveries a second as there can be, one event to one endpoint, beside the floor and the peers. */
import * as Contenders from "../Contenders.ts"
import * as Database from "../Database.ts"
import * as Peers from "../peers/Peers.ts"
import type { Figure, Peer } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import * as Scenario from "../Scenario.ts"

const DELIVERIES = 8_000
/** Rounds of a second, in many enough that their middle is no chance. */
const ROUNDS = 15
/** Transactions that a write with one delivery may cost, everything included. */
const TRANSACTIONS_MAX = 2

/** Transactions for each delivery of a run as fast as can be, by rig. */
const costs = async (rigs: ReadonlyArray<Rig>, deliveries: number): Promise<ReadonlyArray<number>> => {
  const databases = rigs.map(({ database }) => database)
  const before = await Database.commits(databases)
  for (const rig of rigs) await rig.saturate(deliveries)
  const after = await Database.commits(databases)
  return after.map((commits, index) => (commits - before[index]!) / deliveries)
}

const own = [Contenders.floor, Contenders.ours, Contenders.floorRecord, Contenders.oursRecord]

/** Rates of the rigs, which work in turns, once they are warm. */
const ratesOf = async (rigs: ReadonlyArray<Rig>, length: number): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  await Scenario.warm(rigs, length)
  const deliveries = Math.ceil(DELIVERIES * length)
  return Scenario.rounds(
    ROUNDS,
    rigs.map((rig) => () => rig.saturate(deliveries)),
  )
}

const figuresOf = (
  [floor = [], ours = [], floorRecord = [], oursRecord = []]: ReadonlyArray<ReadonlyArray<number>>,
  [reference = Number.NaN, project = Number.NaN]: ReadonlyArray<number>,
): ReadonlyArray<Figure> => [
  { name: "per_second", ...Scenario.paired(ours, floor), against: "floor", target: { least: 0.8 } },
  {
    name: "with_record_per_second",
    ...Scenario.paired(oursRecord, floorRecord),
    against: "floor",
    target: { least: 0.8 },
  },
  {
    name: "transactions_per_delivery",
    project,
    reference,
    against: "floor",
    target: { at_most: TRANSACTIONS_MAX },
  },
]

/** The peers in turns with ours. */
const beside = (ours: Rig, length: number) =>
  Peers.within((peers) =>
    Scenario.withRigs(
      peers.flatMap(({ contender }) => contender ?? []),
      async (rigs) => {
        for (const rig of rigs) await rig.subscribe({ count: 1 })
        const [own = [], ...others] = await ratesOf([ours, ...rigs], length)
        const measured = peers.map(({ name, note }): Peer => {
          const rates = others[rigs.findIndex((rig) => rig.name === name)]
          return { name, note, per_second: rates === undefined ? null : Scenario.paired(own, rates) }
        })
        return { peers: measured, ledgers: await Scenario.ledgers(rigs) }
      },
    ),
  )

/** The peers start once our own are measured: idle, they ask for work all the time, which is work as well. */
export const throughput: Scenario.Scenario = (length) =>
  Scenario.withRigs(own, async (rigs) => {
    for (const rig of rigs) await rig.subscribe({ count: 1 })
    const deliveries = Math.ceil(DELIVERIES * length)
    const rates = await ratesOf(rigs, length)
    const figures = figuresOf(rates, await costs(rigs.slice(0, 2), deliveries))
    const { peers, ledgers } = await beside(rigs[1]!, length)
    return {
      scenario: "throughput",
      figures,
      peers,
      ledgers: { ...(await Scenario.ledgers(rigs)), ...ledgers },
      spec: { loop: "closed", deliveries, rounds: ROUNDS, warmed_by: Scenario.warmedBy(length) },
    }
  })
