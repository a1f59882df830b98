/** What workers do in a history: they take deliveries, and tell what became of them. */
import { Effect } from "effect"
import { Deliveries, type Job, type Outcome, type Streak } from "../Deliveries.ts"
import * as Choice from "./Choice.ts"
import type * as History from "./History.ts"
import * as Model from "./Model.ts"
import * as Queue from "./Queue.ts"
import { Stage } from "./Stage.ts"
import * as World from "./World.ts"

/** So few failures disable an endpoint that many histories get there. */
const streak: Streak = (failures) => ({ consecutive_failures: failures + 1, disable: failures + 1 >= 2 })

/** A worker was given these jobs for so long: the model's deliveries are leased, and the jobs are what they should be. */
const take = (world: World.World, jobs: ReadonlyArray<Job>, lease_ms: number) => {
  const until = world.now() + lease_ms
  const given = jobs.map((job) => ({ job, name: World.deliveryOf(world, job) }))
  const used = jobs.some(({ lease }) => world.jobs.some(({ job }) => job.lease === lease))
  world.model = given.reduce((model, { name, job }) => Model.lease(model, name, job.lease, until), world.model)
  world.jobs = [...world.jobs, ...given]
  const faults = given.flatMap((one) => World.faults(world, one))
  return {
    taken: given.map(({ name }) => name),
    wrong: [...faults, ...(used ? ["a lease that there was before"] : [])],
  }
}

const named = (names: string) => names.split(" ").filter((name) => name !== "")

/** Claims, and has the model make the same choice if it is a legal one. */
export const claim: World.Run<typeof History.Claim.Type, Stage> = Effect.fnUntraced(function* (world, command) {
  const { limit, per_endpoint, lease_ms } = command
  const [quick, saturated] = [named(command.quick), named(command.saturated)]
  const limits = { limit, per_endpoint, lease_ms }
  const { isEnd, lease } = yield* Stage
  const { model: before, now: clock } = world
  const now = clock()
  lease(now + lease_ms)
  const { jobs, next_due_at, more } = yield* (yield* Deliveries).claim({
    ...Queue.anything,
    ...limits,
    quick: quick.map((name) => World.endpoint(world, name)),
    saturated: saturated.map((name) => World.endpoint(world, name)),
  })
  const { taken, wrong } = take(world, jobs, lease_ms)
  const stale = [...before.deliveries].flatMap(([name, it]) =>
    Model.takeable(it) <= now && !Model.isActive(before, it.endpoint) ? [name] : [],
  )
  const canceled = yield* Effect.filter(stale, (name) => isCanceled(world, name))
  world.model = canceled.reduce(Model.cancel, world.model)
  return {
    said: `a worker claims ${limit}, ${per_endpoint} to each but ${quick.join() || "for none"}, none to ${saturated.join() || "spare"}, for ${lease_ms} ms: ${taken.join() || "nothing"}`,
    wrong: [
      ...wrong,
      ...Choice.objections(before, { limit, per_endpoint, quick, saturated }, now, { taken, canceled, more }),
      ...(Choice.isNext(before, now, {
        taken,
        saturated,
        limit,
        until: now + lease_ms,
        said: next_due_at,
        isEnd: (before) => isEnd(next_due_at, now, before),
      })
        ? []
        : [`the next is due at ${next_due_at}; should be ${Choice.nextDue(world.model, now)}`]),
    ],
  }
})

const isCanceled = (world: World.World, name: string) =>
  Effect.gen(function* () {
    const { account_id, id } = World.delivery(world, name)!
    return (yield* Effect.orDie((yield* Deliveries).get(account_id, id))).status === "canceled"
  })

/** Probes endpoints, likewise. */
export const probe: World.Run<typeof History.Probe.Type, Stage> = Effect.fnUntraced(function* (world, command) {
  const { ready, lease_ms } = command
  const { model: before, now } = world
  const endpoints = named(command.endpoints)
  ;(yield* Stage).lease(now() + lease_ms)
  const jobs = yield* (yield* Deliveries).probe({
    endpoints: endpoints.map((name) => ({ ...World.endpoint(world, name), ready })),
    max_bytes: Queue.anything.max_bytes,
    lease_ms,
  })
  const { taken, wrong } = take(world, jobs, lease_ms)
  const legal = endpoints.map((name) => Choice.probed(before, name, ready, now()))
  const missing = legal.filter((names) => names.length > 0 && !names.some((name) => taken.includes(name)))
  const isLegal = missing.length === 0 && taken.length === legal.filter((names) => names.length > 0).length
  return {
    said: `a worker probes ${endpoints.join()}, ${ready ? "" : "not "}ready, for ${lease_ms} ms: ${taken.join() || "nothing"}`,
    wrong: isLegal
      ? wrong
      : [...wrong, `should be one of each: ${legal.map((names) => names.join(" or ") || "none").join()}`],
  }
})

/** The jobs that numbers choose: of those that are held, of all, or of those that are held no more. */
const chosen = (
  world: World.World,
  of: "held" | "all" | "lost",
  nths: ReadonlyArray<number>,
): ReadonlyArray<World.Given | undefined> => {
  const isHeld = ({ name, job }: World.Given) => Model.holds(world.model, name, job.lease)
  const among = of === "all" ? world.jobs : world.jobs.filter((one) => isHeld(one) === (of === "held"))
  return nths.map((nth) => World.pick(among, nth))
}

const outcome = (now: number, ending: typeof History.Ending.Type): Outcome =>
  typeof ending === "number" ? { retry_at: new Date(now + ending).toISOString() } : ending

/** Tells what became of attempts. */
export const settle: World.Run<typeof History.Settle.Type> = Effect.fnUntraced(function* (world, { results, late }) {
  const now = world.now()
  const given = chosen(
    world,
    late ? "all" : "held",
    results.map(({ nth }) => nth),
  )
  // Nobody makes two attempts under one lease.
  const settled = results
    .map(({ ending }, index) => ({ ending, outcome: outcome(now, ending), given: given[index] }))
    .filter((one, index) => given.indexOf(one.given) === index)
    .flatMap(({ given, ...rest }) => (given === undefined ? [] : [{ ...rest, ...given }]))
  if (settled.length === 0) return null
  const settlements = settled.map(({ job, outcome }) => ({ job, outcome, attempt: Queue.attempt(job) }))
  const written = yield* (yield* Deliveries).settle(settlements, streak)
  const expected = settled.map(({ name, job, outcome }) => {
    if (!Model.holds(world.model, name, job.lease)) return null
    const [model, written] = Model.settle(world.model, name, outcome, streak, now, world.birth)
    world.model = model
    return written
  })
  const said = settled.map(
    ({ name, ending }) => `${name} ${typeof ending === "number" ? `again in ${ending} ms` : ending}`,
  )
  return {
    said: `attempts end${late ? ", perhaps late" : ""}: ${said.join(", ")}`,
    wrong:
      JSON.stringify(written) === JSON.stringify(expected)
        ? []
        : [`it came to ${JSON.stringify(written)}; should be ${JSON.stringify(expected)}`],
  }
})

/** Gives a job back. */
export const release: World.Run<typeof History.Release.Type> = Effect.fnUntraced(function* (world, command) {
  const { nth, late, millis } = command
  const [one] = chosen(world, late ? "lost" : "held", [nth])
  if (one === undefined) return null
  const { account_id, id, lease } = one.job
  const due_at = world.now() + (millis === "now" ? 0 : millis)
  const given = millis === "now" ? { account_id, id, lease } : { account_id, id, lease, due_at }
  yield* (yield* Deliveries).release([given])
  if (Model.holds(world.model, one.name, lease)) world.model = Model.release(world.model, one.name, due_at)
  return {
    said: `${one.name} is given back, for ${millis === "now" ? "now" : `${millis} ms`}${late ? ", perhaps late" : ""}`,
  }
})
