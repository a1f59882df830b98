/** What people do in a history: they make endpoints, change them, and have deliveries attempted again. */
import { WebhookEndpoint } from "@tc/domain"
import { Effect, Result, Schema } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import * as Fixture from "./Fixture.ts"
import type * as History from "./History.ts"
import * as Model from "./Model.ts"
import { Stage } from "./Stage.ts"
import * as World from "./World.ts"

const decodeEvents = Schema.decodeUnknownSync(WebhookEndpoint.Events)

type Change = World.Run<typeof History.Change.Type, Stage>

/** Milliseconds after which each claim sees what is no longer in order: it is due longer than what a claim looks for first. */
const SEEN_MS = 1_000

const patch = (world: World.World, name: string, change: WebhookEndpoint.Patch) => {
  const { account_id, endpoint_id } = World.endpoint(world, name)
  return Effect.orDie(Fixture.patchEndpoint(account_id, endpoint_id, change))
}

/** Makes an endpoint, or has it told of other events. */
export const subscribe: World.Run<typeof History.Subscribe.Type> = Effect.fnUntraced(function* (
  world,
  { account, slot, events: names, disable_on_gone },
) {
  const name = `${account}${slot}`
  const events = decodeEvents(names.split(" "))
  const there = world.model.endpoints.get(name)
  const { account_id, endpoint_id: id } = World.endpoint(world, name)
  if (there !== undefined) yield* patch(world, name, { events, disable_on_gone })
  const ordered = slot === World.ORDERED
  const url = `https://${name}.example/`
  if (there === undefined)
    yield* Effect.orDie(
      Fixture.endpoint(account_id, { id, url, events, disable_on_gone, ordered }, World.secretOf(url)),
    )
  const fresh = { account, url, ordered, status: "active", failures: 0 } as const
  world.model = Model.put(world.model, name, { ...(there ?? fresh), events, disable_on_gone })
  return {
    said: `${name} ${there === undefined ? `is made${ordered ? ", in order," : ""} and ` : ""}wants ${names}${disable_on_gone ? ", and an end when it is gone" : ""}`,
  }
})

const move: Change = Effect.fnUntraced(function* (world, { account, slot }) {
  const name = `${account}${slot}`
  const there = world.model.endpoints.get(name)
  if (there === undefined) return null
  const url = `${there.url}x`
  const { account_id, endpoint_id } = World.endpoint(world, name)
  yield* Effect.orDie(
    (yield* WebhookEndpoints).modify(account_id, endpoint_id, (row) =>
      Result.succeed({ row: { ...row, url, secret: World.secretOf(url) }, events: [] }),
    ),
  )
  world.model = Model.put(world.model, name, { ...there, url })
  return { said: `${name} moves` }
})

const turn = (status: "active" | "disabled"): Change =>
  Effect.fnUntraced(function* (world, { account, slot }) {
    const name = `${account}${slot}`
    if (!world.model.endpoints.has(name)) return null
    yield* patch(world, name, { status })
    world.model = Model.turn(world.model, name, status)
    return { said: `${name} is made ${status}` }
  })

const remove: Change = Effect.fnUntraced(function* (world, { account, slot }) {
  const name = `${account}${slot}`
  if (!world.model.endpoints.has(name)) return null
  const { account_id, endpoint_id } = World.endpoint(world, name)
  yield* Effect.orDie((yield* WebhookEndpoints).delete(account_id, endpoint_id))
  world.model = Model.put(world.model, name, null)
  return { said: `${name} is removed` }
})

const order: Change = Effect.fnUntraced(function* (world, { account, slot }) {
  const name = `${account}${slot}`
  const there = world.model.endpoints.get(name)
  if (there === undefined) return null
  yield* patch(world, name, { ordered: !there.ordered })
  world.model = Model.order(world.model, name)
  ;(yield* Stage).pass(SEEN_MS)
  return { said: `${name} is put in order${there.ordered ? " no more" : ""}, and ${SEEN_MS} ms pass` }
})

const changes = { move, enable: turn("active"), disable: turn("disabled"), remove, order }

/** Changes an endpoint that is there. */
export const change: Change = (world, command) => changes[command.do](world, command)

/** Has a delivery attempted again. */
export const retry: World.Run<typeof History.Retry.Type> = Effect.fnUntraced(function* (world, { nth }) {
  const name = World.pick([...world.model.deliveries.keys()], nth)
  const found = name === undefined ? undefined : World.delivery(world, name)
  if (name === undefined || found === undefined) return null
  const result = yield* Effect.result((yield* Deliveries).retry(found.account_id, found.id))
  const expected = Model.retry(world.model, name, world.now())
  const refusal = Result.isSuccess(result) ? "" : result.failure._tag === "Conflict" ? result.failure.code : "not_found"
  if (typeof expected !== "string") world.model = expected
  const should = typeof expected === "string" ? expected : ""
  return {
    said: `a person retries ${name}`,
    wrong: refusal === should ? [] : [`refused: ${refusal || "no"}; should be: ${should || "no"}`],
  }
})
