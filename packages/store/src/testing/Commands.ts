/** What each command of a history does to a storage and to the model: what was done, in words, and what is wrong with it. */
import { WebhookEndpoint } from "@tc/domain"
import { Effect, Result, Schema } from "effect"
import { Deliveries, type Outcome, type Streak } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import type { Services } from "../Services.ts"
import * as Choice from "./Choice.ts"
import * as Fixture from "./Fixture.ts"
import type { Command } from "./History.ts"
import type * as History from "./History.ts"
import * as Model from "./Model.ts"
import * as Queue from "./Queue.ts"
import { Stage } from "./Stage.ts"
import * as World from "./World.ts"
import { write } from "./Writes.ts"

/** What was done; null where there was nothing to do it to. */
export interface Done {
  readonly said: string
  readonly wrong?: ReadonlyArray<string>
}

type Run<C extends Command> = (world: World.World, command: C) => Effect.Effect<Done | null, never, Services | Stage>

type Change = typeof History.Change.Type

/** So few failures disable an endpoint that many histories get there. */
const streak: Streak = (failures) => ({ consecutive_failures: failures + 1, disable: failures + 1 >= 3 })

const patch = (world: World.World, name: string, change: WebhookEndpoint.Patch) => {
  const { account_id, endpoint_id } = World.endpoint(world, name)
  return Effect.orDie(Fixture.patchEndpoint(account_id, endpoint_id, change))
}

const decodeEvents = Schema.decodeUnknownSync(WebhookEndpoint.Events)

const subscribe: Run<typeof History.Subscribe.Type> = Effect.fnUntraced(function* (
  world,
  { account, slot, events: names },
) {
  const name = `${account}${slot}`
  const events = decodeEvents(names.split(" "))
  const there = world.model.endpoints.get(name)
  const { account_id, endpoint_id: id } = World.endpoint(world, name)
  if (there !== undefined) yield* patch(world, name, { events })
  const url = `https://${name}.example/`
  if (there === undefined) yield* Effect.orDie(Fixture.endpoint(account_id, { id, url, events }, World.secretOf(url)))
  const fresh = { account, url, status: "active", failures: 0 } as const
  world.model = Model.put(world.model, name, { ...(there ?? fresh), events })
  return { said: `${name} ${there === undefined ? "is made and " : ""}wants ${names}` }
})

const move: Run<Change> = Effect.fnUntraced(function* (world, { account, slot }) {
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

const turn = (status: "active" | "disabled"): Run<Change> =>
  Effect.fnUntraced(function* (world, { account, slot }) {
    const name = `${account}${slot}`
    if (!world.model.endpoints.has(name)) return null
    yield* patch(world, name, { status })
    world.model = Model.turn(world.model, name, status)
    return { said: `${name} is made ${status}` }
  })

const remove: Run<Change> = Effect.fnUntraced(function* (world, { account, slot }) {
  const name = `${account}${slot}`
  if (!world.model.endpoints.has(name)) return null
  const { account_id, endpoint_id } = World.endpoint(world, name)
  yield* Effect.orDie((yield* WebhookEndpoints).delete(account_id, endpoint_id))
  world.model = Model.put(world.model, name, null)
  return { said: `${name} is removed` }
})

const receive: Run<typeof History.Receive.Type> = (world, { how }) => {
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

const claim: Run<typeof History.Claim.Type> = Effect.fnUntraced(function* (
  world,
  { limit, per_endpoint, saturated: names, lease_ms },
) {
  const deliveries = yield* Deliveries
  const { isEnd } = yield* Stage
  const saturated = names.split(" ").filter((name) => name !== "")
  const now = world.now()
  const before = world.model
  const { jobs, next_due_at } = yield* deliveries.claim({
    ...Queue.anything,
    limit,
    per_endpoint,
    lease_ms,
    saturated: saturated.map((name) => World.endpoint(world, name)),
  })
  const given = jobs.map((job) => ({ job, name: World.deliveryOf(world, job) }))
  const stale = [...before.deliveries].filter(
    ([, it]) => Model.takeable(it) <= now && !Model.isActive(before, it.endpoint),
  )
  const canceled = yield* Effect.filter(
    stale.map(([name]) => name),
    (name) => isCanceled(world, name),
  )
  const choice = { taken: given.map(({ name }) => name), canceled }
  const after = given.reduce((model, { name, job }) => Model.lease(model, name, job.lease, now + lease_ms), before)
  world.model = canceled.reduce(Model.cancel, after)
  const next = Choice.nextDue(before, now, choice.taken)
  const wrong = [
    ...Choice.objections(before, { limit, per_endpoint, saturated }, now, choice),
    ...given.flatMap((one) => World.faults(world, one)),
    ...(jobs.some(({ lease }) => world.jobs.some(({ job }) => job.lease === lease))
      ? ["a lease that there was before"]
      : []),
    ...(next_due_at === next || isEnd(next_due_at, now, next)
      ? []
      : [`the next is due at ${next_due_at}; should be ${next}`]),
  ]
  world.jobs = [...world.jobs, ...given]
  const saturation = saturated.length === 0 ? "" : `, none to ${saturated.join(" and ")}`
  return {
    said: `a worker claims ${limit}, ${per_endpoint} to each${saturation}, for ${lease_ms} ms: gets ${choice.taken.join(", ") || "nothing"}`,
    wrong,
  }
})

const isCanceled = (world: World.World, name: string) =>
  Effect.gen(function* () {
    const { account_id, id } = World.delivery(world, name)!
    return (yield* Effect.orDie((yield* Deliveries).get(account_id, id))).status === "canceled"
  })

const chosen = (
  world: World.World,
  late: boolean,
  nths: ReadonlyArray<number>,
): ReadonlyArray<World.Given | undefined> => {
  const among = late ? world.jobs : world.jobs.filter(({ name, job }) => Model.holds(world.model, name, job.lease))
  return nths.map((nth) => World.pick(among, nth))
}

const outcome = (now: number, ending: typeof History.Ending.Type): Outcome =>
  typeof ending === "number" ? { retry_at: new Date(now + ending).toISOString() } : ending

const settle: Run<typeof History.Settle.Type> = Effect.fnUntraced(function* (world, { results, late }) {
  const now = world.now()
  const given = chosen(
    world,
    late,
    results.map(({ nth }) => nth),
  )
  // Nobody makes two attempts under one lease.
  const settled = results
    .map(({ ending }, index) => ({ ending, outcome: outcome(now, ending), given: given[index] }))
    .filter((one, index) => given.indexOf(one.given) === index)
    .flatMap(({ given, ...rest }) => (given === undefined ? [] : [{ ...rest, ...given }]))
  if (settled.length === 0) return null
  const settlements = settled.map(({ job, outcome }) => ({ job, outcome, attempt: Queue.attempt(job) }))
  const held = Queue.held(yield* (yield* Deliveries).settle(settlements, streak))
  const expected = settled.map(({ name, job, outcome }) => {
    const holds = Model.holds(world.model, name, job.lease)
    if (holds) world.model = Model.settle(world.model, name, outcome, streak, now, world.birth)
    return holds
  })
  const said = settled.map(
    ({ name, ending }) => `${name} ${typeof ending === "number" ? `again in ${ending} ms` : ending}`,
  )
  return {
    said: `attempts end${late ? ", perhaps late" : ""}: ${said.join(", ")}`,
    wrong: held.join() === expected.join() ? [] : [`leases held: ${held.join()}; should be: ${expected.join()}`],
  }
})

const release: Run<typeof History.Release.Type> = Effect.fnUntraced(function* (world, { nth, late }) {
  const [one] = chosen(world, late, [nth])
  if (one === undefined) return null
  yield* (yield* Deliveries).release([one.job])
  if (Model.holds(world.model, one.name, one.job.lease)) world.model = Model.release(world.model, one.name, world.now())
  return { said: `${one.name} is given back${late ? ", perhaps late" : ""}` }
})

const retry: Run<typeof History.Retry.Type> = Effect.fnUntraced(function* (world, { nth }) {
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

const wait: Run<typeof History.Wait.Type> = Effect.fnUntraced(function* (world, { millis }) {
  const now = world.now()
  const next = Choice.nextDue(world.model, now) ?? now + 1
  const by = millis === "due" ? next - now : millis
  ;(yield* Stage).pass(by)
  return { said: `${by} ms pass` }
})

/** Does it, to both. */
export const run = (world: World.World, command: Command): Effect.Effect<Done | null, never, Services | Stage> => {
  switch (command.do) {
    case "subscribe":
      return subscribe(world, command)
    case "move":
      return move(world, command)
    case "enable":
      return turn("active")(world, command)
    case "disable":
      return turn("disabled")(world, command)
    case "remove":
      return remove(world, command)
    case "receive":
      return receive(world, command)
    case "write":
      return write(world, command)
    case "claim":
      return claim(world, command)
    case "settle":
      return settle(world, command)
    case "release":
      return release(world, command)
    case "retry":
      return retry(world, command)
    case "wait":
      return wait(world, command)
  }
}
