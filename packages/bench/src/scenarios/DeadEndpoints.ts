/** `dead-endpoints`: healthy endpoints at half of the maximum, with and without 200 others that never answer. */
import * as Contenders from "../Contenders.ts"
import * as Retries from "../Retries.ts"
import * as Latency from "../Latency.ts"
import type { Figure } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import type { Run } from "../Run.ts"
import * as Scenario from "../Scenario.ts"

const HEALTHY = 50
const DEAD = 200
const DUE_RETRIES = 100_000
const SATURATING = 8_000
/** Of a round. All together last so long that a second in which the machine stands still is less than a hundredth. */
const SECONDS = 20
/** Rounds without the dead, half of them before those with and half after: the machine drifts. */
const ROUNDS = 8
/** Longer than an attempt may last, so that timeouts, and what the engine makes of them, lie within. */
const SECONDS_BESIDE = 180

const accounts = { accounts: HEALTHY } as const
const contenders = [
  { ...Contenders.floor, ...accounts },
  { ...Contenders.ours, ...accounts },
  { ...Contenders.ours, ...accounts, name: "without" },
]

const summary = (runs: ReadonlyArray<Run>) => ({
  ...Latency.summary(runs.flatMap(({ latency }) => latency)),
  per_second: Scenario.median(runs.map(({ per_second }) => per_second)),
})

/** As much as it can do, once warm. */
const maximum = async (rig: Rig, length: number): Promise<number> => {
  await rig.saturate(SATURATING * length)
  return rig.saturate(SATURATING * length)
}

export const deadEndpoints: Scenario.Scenario = (length) =>
  Scenario.withRigs(contenders, async (rigs) => {
    const [floor, ours, without] = rigs as [Rig, Rig, Rig]
    for (const rig of rigs) await rig.subscribe({ count: HEALTHY, origins: HEALTHY })
    const most = await maximum(without, length)
    const per_second = Math.round(most / 2)
    const offer = (rig: Rig, seconds: number, seed: number) =>
      rig.offer({ events: Math.ceil(per_second * seconds * length), per_second, seed })
    const alone = () => Scenario.rounds(ROUNDS / 2, [() => offer(floor, SECONDS, 1), () => offer(without, SECONDS, 2)])

    const before = await alone()
    await offer(ours, SECONDS / 2, 3)
    const dead = await Retries.make(ours.database, { due: true, endpoints: DEAD, retries: DUE_RETRIES * length })
    const beside = summary([await offer(ours, SECONDS_BESIDE, 4)])
    const mostBeside = await maximum(ours, length)
    const ledger = await ours.ledger({ foreign: dead.retries })
    await ours.stop()
    await dead.stop()
    const after = await alone()

    const least = summary([...before[0]!, ...after[0]!])
    const own = summary([...before[1]!, ...after[1]!])
    const figures: ReadonlyArray<Figure> = [
      { name: "p99_ms", project: beside.p99, reference: own.p99, against: "without", target: { most: 1.5 } },
      {
        name: "per_second",
        project: beside.per_second,
        reference: own.per_second,
        against: "without",
        target: { least: 0.9 },
      },
      { name: "median_ms", project: beside.median, reference: own.median, against: "without" },
      { name: "maximum_per_second", project: mostBeside, reference: most, against: "without" },
      { name: "without_the_dead_p99_ms", project: own.p99, reference: least.p99, against: "floor" },
      { name: "without_the_dead_median_ms", project: own.median, reference: least.median, against: "floor" },
    ]
    return {
      scenario: "dead-endpoints",
      figures,
      peers: [],
      ledgers: {
        ...(await Scenario.ledgers([floor, without])),
        project: ledger,
      },
      spec: {
        arrivals: "poisson",
        per_second,
        healthy_endpoints: HEALTHY,
        dead_endpoints: DEAD,
        due_retries: dead.retries,
        attempts_end_after_ms: 30_000,
        seconds: SECONDS * ROUNDS * length,
        seconds_beside: SECONDS_BESIDE * length,
      },
    }
  })
