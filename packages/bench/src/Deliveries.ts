/** The figure of deliveries: accepted → delivered → recorded, per second, ours against the floor. */
import * as Database from "./Database.ts"
import * as Figure from "./Figure.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Receiver from "./Receiver.ts"

/** How many deliveries a round makes. */
const deliveries = 20_000

/** Measures one event to one endpoint and one event to five; yields a line for each. */
export async function* figures(ours: string | undefined): AsyncGenerator<string> {
  const receiver = Receiver.start()
  const origin = await receiver.call("listen")
  const contenders = [import.meta.resolve("./Floor.ts"), ...(ours === undefined ? [] : [ours])]
  const [floor, own] = await Promise.all(
    contenders.map(async (module) => Pipeline.start(module, await Database.create())),
  )

  const subscribe = async (pipeline: Pipeline.Running, fanOut: number) => {
    const urls = Array.from({ length: fanOut }, (_, endpoint) => `${origin}/${endpoint}`)
    const secrets = await pipeline.call("subscribe", urls)
    return async () => {
      await receiver.call("reset", secrets)
      const elapsed = await pipeline.call("run", deliveries / fanOut, fanOut)
      const seen = await receiver.call("seen")
      if (seen.deliveries !== deliveries || seen.requests !== deliveries || seen.fault !== null)
        throw new Error(`the receiver saw ${JSON.stringify(seen)} instead of ${deliveries} deliveries`)
      return (deliveries / elapsed) * 1000
    }
  }

  for (const fanOut of [1, 5]) {
    const name = `deliveries, ${fanOut} endpoint${fanOut === 1 ? "" : "s"} per event`
    const rounds = await Figure.alternate(await subscribe(floor!, fanOut), own && (await subscribe(own, fanOut)))
    yield Figure.line({ name, unit: "/s", target: { ratio: 0.5 }, ...rounds })
  }
  for (const child of [floor, own, receiver]) await child?.stop()
}
