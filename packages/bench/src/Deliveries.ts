/** The figure of deliveries: accepted → delivered → recorded, per second, ours against the floor. */
import * as Contenders from "./Contenders.ts"
import * as Figure from "./Figure.ts"
import type { Rig } from "./Rig.ts"
import * as Scenario from "./Scenario.ts"

/** How many deliveries a round makes. */
const DELIVERIES = 20_000

/** Measures one event to one endpoint and one event to five; yields a line for each. */
export async function* figures(_: string | undefined, length: number): AsyncGenerator<string> {
  yield* await measure(Math.ceil(DELIVERIES * length))
}

const measure = (deliveries: number): Promise<ReadonlyArray<string>> =>
  Scenario.withRigs([Contenders.floor, Contenders.ours], async (rigs) => {
    const [floor, ours] = rigs as [Rig, Rig]
    const lines = new Array<string>()
    for (const fanOut of [1, 5]) {
      for (const rig of rigs) await rig.subscribe({ count: fanOut })
      const name = `deliveries, ${fanOut} endpoint${fanOut === 1 ? "" : "s"} per event`
      const rounds = await Figure.alternate(
        () => floor.saturate(deliveries),
        () => ours.saturate(deliveries),
      )
      lines.push(Figure.line({ name, unit: "/s", target: { ratio: 0.8 }, ...rounds }))
    }
    for (const [name, { problems }] of Object.entries(await Scenario.ledgers(rigs)))
      if (problems.length > 0) throw new Error(`${name}: ${problems.join(", ")}`)
    return lines
  })
