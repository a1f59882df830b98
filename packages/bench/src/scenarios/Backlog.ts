/** `backlog`: as fast as can be, with a million retries of tomorrow in the table and an old snapshot held open. */
import * as Contenders from "../Contenders.ts"
import * as Database from "../Database.ts"
import * as Retries from "../Retries.ts"
import type { Figure } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import type { Run } from "../Run.ts"
import * as Scenario from "../Scenario.ts"

const FUTURE_RETRIES = 1_000_000
const ENDPOINTS = 100
const DELIVERIES = 10_000
/** The first half only leaves dead entries behind, which is what slows claims down; the second counts. */
const ROUNDS = 16
/** Rounds of a second, in many enough that their middle is no chance. */
const CLAIMED_ROUNDS = 24
const CLAIMED = 4_000

/** Holds a snapshot of the database open while `use` runs: nothing that dies meanwhile can be cleaned up. */
const whileHeld = <A>(database: string, use: () => Promise<A>): Promise<A> =>
  Database.connected(database, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
    await client.query("SELECT count(*) FROM tc.accounts")
    return use()
  })

const later = <A>(rounds: ReadonlyArray<A> = []): ReadonlyArray<A> => rounds.slice(rounds.length / 2)

const rate = ({ per_second }: Run) => per_second

const measure = async ([floor, ours, without]: readonly [Rig, Rig, Rig], length: number) => {
  const deliveries = Math.ceil(DELIVERIES * length)
  const burst = { events: Math.ceil(CLAIMED * length), per_second: null, seed: 0 }
  const handed = await Scenario.rounds(
    ROUNDS,
    [floor, ours, without].map((rig) => () => rig.saturate(deliveries)),
  )
  const claimed = await Scenario.rounds(
    CLAIMED_ROUNDS,
    [ours, without].map((rig) => () => rig.offer(burst)),
  )
  const [least, own, alone] = handed.map(later)
  const [ownClaimed = [], aloneClaimed = []] = claimed
  const figures: ReadonlyArray<Figure> = [
    { name: "per_second", ...Scenario.paired(own!, alone!), against: "without", target: { least: 0.9 } },
    {
      name: "claimed_per_second",
      ...Scenario.paired(ownClaimed.map(rate), aloneClaimed.map(rate)),
      against: "without",
      target: { least: 0.9 },
    },
    { name: "without_backlog_per_second", ...Scenario.paired(alone!, least!), against: "floor" },
  ]
  return figures
}

export const backlog: Scenario.Scenario = (length) =>
  Scenario.withRigs(
    [Contenders.floor, { ...Contenders.oursSplit, name: "project" }, { ...Contenders.oursSplit, name: "without" }],
    async (rigs) => {
      const [floor, ours, without] = rigs as [Rig, Rig, Rig]
      for (const rig of rigs) await rig.subscribe({ count: 1 })
      const retries = { endpoints: ENDPOINTS, retries: FUTURE_RETRIES * length, due: false }
      const future = await Retries.make(ours.database, retries)
      const figures = await whileHeld(ours.database, () => measure([floor, ours, without], length))
      const ledgers = {
        ...(await Scenario.ledgers([floor, without])),
        project: await ours.ledger({ foreign: future.retries }),
      }
      await future.stop()
      return {
        scenario: "backlog",
        figures,
        peers: [],
        ledgers,
        spec: {
          loop: "closed",
          ...retries,
          deliveries: DELIVERIES * length,
          rounds: ROUNDS,
          claimed: CLAIMED * length,
          claimed_rounds: CLAIMED_ROUNDS,
          old_snapshot: true,
        },
      }
    },
  )
