/** `restart`: the process that delivers is killed in the midst, by SIGKILL, and another takes its place. */
import { setTimeout } from "node:timers/promises"
import * as Clock from "../Clock.ts"
import * as Contenders from "../Contenders.ts"
import * as Latency from "../Latency.ts"
import type { Figure } from "../Report.ts"
import type { Rig } from "../Rig.ts"
import type { Run } from "../Run.ts"
import * as Scenario from "../Scenario.ts"

const PER_SECOND = 300
const SECONDS = 20
/** Milliseconds until the receiver answers, so that attempts are under way when the process is killed. */
const PACE_MS = 50
/** When the process is killed, as a share of the run. */
const KILLED_AT = 0.4
/** Milliseconds for which a delivery that was under way stays with the process that is gone: the timeout and 30 s. */
const LEASE_MS = 60_000
/** Milliseconds to find that a lease ended, and to deliver. */
const GRACE_MS = 5_000

const wait = ({ scheduled, at }: Run["received"][number]) => at - scheduled

export const restart: Scenario.Scenario = (length) =>
  Scenario.withRigs([Contenders.floor, { ...Contenders.oursSplit, name: "project" }], async (rigs) => {
    const [floor, ours] = rigs as [Rig, Rig]
    for (const rig of rigs) await rig.subscribe({ count: 1, pace_ms: PACE_MS })
    const seconds = SECONDS * Math.max(length, 0.25)
    const arrivals = { events: Math.ceil(PER_SECOND * seconds), per_second: PER_SECOND, seed: 5 }
    for (const rig of rigs) await rig.offer({ ...arrivals, events: Math.ceil(arrivals.events / 4) })
    const calm = await floor.offer(arrivals)

    const offering = ours.offer(arrivals, LEASE_MS * 2)
    await setTimeout(seconds * KILLED_AT * 1_000)
    const killed = Clock.now()
    await ours.replace()
    const replaced = Clock.now()
    const run = await offering

    const early = run.received.filter(({ at }) => at < killed).map(wait)
    const owed = run.received.filter(({ scheduled }) => scheduled < replaced)
    const caughtUp =
      Latency.percentile(
        owed.map(({ at }) => at),
        1,
      ) - killed
    const servedAgain =
      Latency.percentile(
        run.received.filter(({ at }) => at > replaced).map(({ at }) => at),
        0,
      ) - killed
    const worst = Latency.percentile(early, 1)
    const figures: ReadonlyArray<Figure> = [
      {
        name: "caught_up_ms",
        project: caughtUp,
        reference: worst,
        against: "without",
        target: { within: LEASE_MS + GRACE_MS },
      },
      { name: "served_again_ms", project: servedAgain, reference: worst, against: "without" },
      {
        name: "before_the_kill_p99_ms",
        project: Latency.percentile(early, 0.99),
        reference: Latency.percentile(calm.latency, 0.99),
        against: "floor",
      },
    ]
    return {
      scenario: "restart",
      figures,
      peers: [],
      ledgers: { floor: await floor.ledger(), project: await ours.ledger({ at_least_once: true }) },
      spec: {
        arrivals: "poisson",
        receiver_answers_after_ms: PACE_MS,
        per_second: PER_SECOND,
        seconds,
        killed_after_seconds: seconds * KILLED_AT,
      },
    }
  })
