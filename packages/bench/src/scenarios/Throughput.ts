/** `throughput`: as many deliveries a second as there can be, one event to one endpoint, beside the floor and the peers. */
import * as Contenders from "../Contenders.ts"
import * as Database from "../Database.ts"
import * as Peers from "../peers/Peers.ts"
import type { Figure, Peer } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import * as Scenario from "../Scenario.ts"

const DELIVERIES = 8_000
const ROUNDS = 5
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

/** Rates by contender: the four of `own`, then the peers that are there. */
const figuresOf = ([floor = [], ours = [], floorRecord = [], oursRecord = []]: ReadonlyArray<
  ReadonlyArray<number>
>): ReadonlyArray<Figure> => [
  { name: "per_second", ...Scenario.paired(ours, floor), against: "floor", target: { least: 0.8 } },
  {
    name: "with_record_per_second",
    ...Scenario.paired(oursRecord, floorRecord),
    against: "floor",
    target: { least: 0.8 },
  },
]

const peersOf = (
  peers: ReadonlyArray<Peers.Peer>,
  rates: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyArray<Peer> => {
  const measured = peers.filter(({ contender }) => contender !== null)
  return peers.map((peer) => {
    const rounds = rates[own.length + measured.indexOf(peer)]
    return { name: peer.name, note: peer.note, per_second: rounds === undefined ? null : Scenario.median(rounds) }
  })
}

export const throughput: Scenario.Scenario = (length) =>
  Peers.within((peers) => {
    const others = peers.flatMap(({ contender }) => contender ?? [])
    return Scenario.withRigs([...own, ...others], async (rigs) => {
      for (const rig of rigs) await rig.subscribe({ count: 1 })
      const warmed_by = await Scenario.warm(rigs, length)
      const deliveries = Math.ceil(DELIVERIES * length)
      const parts = rigs.map((rig) => () => rig.saturate(deliveries))
      const rates = await Scenario.rounds(ROUNDS, parts)
      const [reference = Number.NaN, project = Number.NaN] = await costs(rigs.slice(0, 2), deliveries)
      return {
        scenario: "throughput",
        figures: [
          ...figuresOf(rates),
          {
            name: "transactions_per_delivery",
            project,
            reference,
            against: "floor",
            target: { at_most: TRANSACTIONS_MAX },
          },
        ],
        peers: peersOf(peers, rates),
        ledgers: await Scenario.ledgers(rigs),
        spec: { loop: "closed", deliveries, rounds: ROUNDS, warmed_by },
      }
    })
  })
