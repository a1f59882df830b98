/** What each command of a history does to a storage and to the model. */
import { Effect } from "effect"
import type { Services } from "../Services.ts"
import * as Choice from "./Choice.ts"
import type * as History from "./History.ts"
import * as People from "./People.ts"
import { Stage } from "./Stage.ts"
import * as Worker from "./Worker.ts"
import * as World from "./World.ts"
import { write } from "./Writes.ts"

const receive: World.Run<typeof History.Receive.Type> = (world, { how }) => {
  world.birth =
    typeof how === "number"
      ? { lease: "born", lease_ms: how, delay_ms: 0 }
      : { ...World.nobody, delay_ms: how === "not, and wait" ? 1_000 : 0 }
  return Effect.succeed({
    said:
      typeof how === "number"
        ? `a receiver leases for ${how} ms`
        : `nobody receives; first attempts wait ${world.birth.delay_ms} ms`,
  })
}

const wait: World.Run<typeof History.Wait.Type, Stage> = Effect.fnUntraced(function* (world, { millis }) {
  const now = world.now()
  const next = Choice.nextDue(world.model, now) ?? now + 1
  const by = millis === "due" ? next - now : millis
  ;(yield* Stage).pass(by)
  return { said: `${by} ms pass` }
})

/** Does it, to both. */
export const run = (
  world: World.World,
  command: History.Command,
): Effect.Effect<World.Done | null, never, Services | Stage> => {
  switch (command.do) {
    case "subscribe":
      return People.subscribe(world, command)
    case "receive":
      return receive(world, command)
    case "write":
      return write(world, command)
    case "claim":
      return Worker.claim(world, command)
    case "probe":
      return Worker.probe(world, command)
    case "settle":
      return Worker.settle(world, command)
    case "release":
      return Worker.release(world, command)
    case "retry":
      return People.retry(world, command)
    case "wait":
      return wait(world, command)
    default:
      return People.change(world, command)
  }
}
