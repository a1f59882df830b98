/** `throughput`: as many deliveries a second as there can be, one event to one endpoint, beside the floor and the peers. */
import * as Contenders from "../Contenders.ts"
import * as Database from "../Database.ts"
import type { Figure } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import * as Scenario from "../Scenario.ts"

const DELIVERIES = 8_000
const ROUNDS = 5
/** Transactions that a write with one delivery may cost, everything included. */
const TRANSACTIONS_MAX = 2

/** Transactions for each delivery of a run as fast as can be. */
const cost = async (rig: Rig, deliveries: number): Promise<number> => {
  const before = await Database.commits(rig.database)
  await rig.saturate(deliveries)
  return ((await Database.commits(rig.database)) - before) / deliveries
}

export const throughput: Scenario.Scenario = (length) => {
  const own = [Contenders.floor, Contenders.ours, Contenders.floorRecord, Contenders.oursRecord]
  return Scenario.withRigs(own, async (rigs) => {
    for (const rig of rigs) await rig.subscribe({ count: 1 })
    const deliveries = Math.ceil(DELIVERIES * length)
    const [floor, ours, floorRecord, oursRecord] = (await Scenario.rounds(
      ROUNDS,
      rigs.map((rig) => () => rig.saturate(deliveries)),
    )) as [ReadonlyArray<number>, ReadonlyArray<number>, ReadonlyArray<number>, ReadonlyArray<number>]
    const transactions = [await cost(rigs[0]!, deliveries), await cost(rigs[1]!, deliveries)] as const
    const figures: ReadonlyArray<Figure> = [
      { name: "per_second", ...Scenario.paired(ours, floor), against: "floor", target: { least: 0.8 } },
      {
        name: "with_record_per_second",
        ...Scenario.paired(oursRecord, floorRecord),
        against: "floor",
        target: { least: 0.8 },
      },
      { name: "transactions_per_delivery", project: transactions[1], reference: transactions[0], against: "floor" },
    ]
    return {
      scenario: "throughput",
      figures,
      peers: [],
      ledgers: await Scenario.ledgers(rigs),
      spec: { loop: "closed", deliveries, rounds: ROUNDS, transactions_max: TRANSACTIONS_MAX },
    }
  })
}
