/** `burst`: thousands of events at one moment, to an engine that was idle. */
import * as Contenders from "../Contenders.ts"
import * as Latency from "../Latency.ts"
import type { Figure } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import type { Run } from "../Run.ts"
import * as Scenario from "../Scenario.ts"

const EVENTS = 5_000
/** A round is over in half a second: of few of them the middle is chance. */
const ROUNDS = 11

const rate = ({ per_second }: Run) => per_second
const p99 = ({ latency }: Run) => Latency.percentile(latency, 0.99)

export const burst: Scenario.Scenario = (length) =>
  Scenario.withRigs([Contenders.floor, Contenders.ours], async (rigs) => {
    for (const rig of rigs) await rig.subscribe({ count: 1 })
    await Scenario.warm(rigs, length)
    const arrivals = { events: Math.ceil(EVENTS * length), per_second: null, seed: 0 }
    const [floor = [], ours = []] = await Scenario.rounds(
      ROUNDS,
      rigs.map((rig: Rig) => () => rig.offer(arrivals)),
    )
    const figures: ReadonlyArray<Figure> = [
      {
        name: "per_second",
        ...Scenario.paired(ours.map(rate), floor.map(rate)),
        against: "floor",
        target: { least: 0.8 },
      },
      { name: "p99_ms", ...Scenario.paired(ours.map(p99), floor.map(p99)), against: "floor" },
    ]
    return {
      scenario: "burst",
      figures,
      peers: [],
      ledgers: await Scenario.ledgers(rigs),
      spec: { arrivals: "at once", events: arrivals.events, rounds: ROUNDS, warmed_by: Scenario.warmedBy(length) },
    }
  })
