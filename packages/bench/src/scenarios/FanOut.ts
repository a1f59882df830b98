/** `fan-out`: one event to a thousand endpoints. */
import * as Contenders from "../Contenders.ts"
import type { Figure } from "../Report.ts"
import type { Run } from "../Run.ts"
import * as Scenario from "../Scenario.ts"

const ENDPOINTS = 1_000
/** A round is over in a tenth of a second: of few of them the middle is chance. */
const ROUNDS = 99

const rate = ({ per_second }: Run) => per_second
const accepting = ({ accepting: [wait] }: Run) => wait ?? Number.NaN

export const fanOut: Scenario.Scenario = (length) =>
  Scenario.withRigs([Contenders.floor, Contenders.ours], async (rigs) => {
    const endpoints = Math.ceil(ENDPOINTS * length)
    for (const rig of rigs) await rig.subscribe({ count: endpoints })
    await Scenario.warm(rigs, length)
    const [floor = [], ours = []] = await Scenario.rounds(
      ROUNDS,
      rigs.map((rig) => () => rig.offer({ events: 1, per_second: null, seed: 0 })),
    )
    const figures: ReadonlyArray<Figure> = [
      {
        name: "per_second",
        ...Scenario.paired(ours.map(rate), floor.map(rate)),
        against: "floor",
        target: { least: 0.8 },
      },
      { name: "accepted_ms", ...Scenario.paired(ours.map(accepting), floor.map(accepting)), against: "floor" },
    ]
    return {
      scenario: "fan-out",
      figures,
      peers: [],
      ledgers: await Scenario.ledgers(rigs),
      spec: { events: 1, endpoints, origins: 1, rounds: ROUNDS, warmed_by: Scenario.warmedBy(length) },
    }
  })
