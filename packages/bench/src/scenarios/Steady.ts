/** `steady`: from the scheduled send to the receipt, at 10 events a second and at half of what the engine can do. */
import type { Arrivals } from "../Arrivals.ts"
import * as Contenders from "../Contenders.ts"
import * as Latency from "../Latency.ts"
import type { Figure } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import type { Run } from "../Run.ts"
import * as Scenario from "../Scenario.ts"

const CALM_PER_SECOND = 10
const CALM_SECONDS = 60
const WARMING_SECONDS = 5
/** What a process that only accepts has to get out through another. */
const TWO_PROCESSES_MS = 1_000
const HALF_SECONDS = 5
const HALF_ROUNDS = 4
const SATURATING = 8_000

const summary = (runs: ReadonlyArray<Run>) => Latency.summary(runs.flatMap(({ latency }) => latency))

/** At few events a second the contenders run side by side: none takes much, and all see the same moments of the machine. */
const calm = async (rigs: ReadonlyArray<Rig>, seconds: number) => {
  const events = Math.ceil(CALM_PER_SECOND * seconds)
  const runs = rigs.map((rig, index) => rig.offer({ events, per_second: CALM_PER_SECOND, seed: index + 1 }))
  return (await Promise.all(runs)).map((run) => summary([run]))
}

/** Half of our maximum, for both, in turns. */
const half = async (floor: Rig, ours: Rig, length: number) => {
  const deliveries = SATURATING * length
  const maxima = await Scenario.rounds(1, [() => floor.saturate(deliveries), () => ours.saturate(deliveries)])
  const per_second = Math.round(maxima[1]![0]! / 2)
  const arrivals: Arrivals = { events: Math.ceil(per_second * HALF_SECONDS * length), per_second, seed: 7 }
  const runs = await Scenario.rounds(HALF_ROUNDS, [() => floor.offer(arrivals), () => ours.offer(arrivals)])
  return { per_second, floor: summary(runs[0]!), ours: summary(runs[1]!) }
}

export const steady: Scenario.Scenario = (length) =>
  Scenario.withRigs([Contenders.floor, Contenders.ours, Contenders.oursSplit], async (rigs) => {
    const [floor, ours] = rigs as [Rig, Rig]
    for (const rig of rigs) await rig.subscribe({ count: 1 })
    await calm(rigs, WARMING_SECONDS)
    const [least, own, apart] = (await calm(rigs, CALM_SECONDS * length)) as [
      Latency.Summary,
      Latency.Summary,
      Latency.Summary,
    ]
    const busy = await half(floor, ours, length)
    const figures: ReadonlyArray<Figure> = [
      { name: "median_ms", project: own.median, reference: least.median, against: "floor", target: { within: 2 } },
      { name: "p99_ms", project: own.p99, reference: least.p99, against: "floor", target: { within: 10 } },
      { name: "in_two_processes_median_ms", project: apart.median, reference: least.median, against: "floor" },
      {
        name: "in_two_processes_p99_ms",
        project: apart.p99,
        reference: least.p99,
        against: "floor",
        target: { at_most: TWO_PROCESSES_MS },
      },
      { name: "half_of_maximum_median_ms", project: busy.ours.median, reference: busy.floor.median, against: "floor" },
      { name: "half_of_maximum_p99_ms", project: busy.ours.p99, reference: busy.floor.p99, against: "floor" },
    ]
    return {
      scenario: "steady",
      figures,
      peers: [],
      ledgers: await Scenario.ledgers(rigs),
      spec: {
        arrivals: "poisson",
        calm_per_second: CALM_PER_SECOND,
        calm_seconds: CALM_SECONDS * length,
        half_of_maximum_per_second: busy.per_second,
        half_seconds: HALF_SECONDS * HALF_ROUNDS * length,
      },
    }
  })
