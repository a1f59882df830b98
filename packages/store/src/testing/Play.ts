/** Plays a history on a storage and on the model of it, and tells where they first disagree. */
import { Data, Effect } from "effect"
import { Deliveries, OVERDUE_MS } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import type { Services } from "../Services.ts"
import * as Commands from "./Commands.ts"
import type { History } from "./History.ts"
import * as Model from "./Model.ts"
import * as Queue from "./Queue.ts"
import * as Sight from "./Sight.ts"
import { Stage } from "./Stage.ts"
import * as World from "./World.ts"

/** What was done until storage and model disagreed, and how they do. */
export class Disagreement extends Data.TaggedError("Disagreement")<{
  readonly done: ReadonlyArray<string>
  readonly wrong: ReadonlyArray<string>
}> {}

/** Longer than any lease of a history. */
const FOREVER_MS = 86_400_000

/** After each command all is compared; or only what should have changed, and all in the end, where looking takes long. */
export type Looks = "all" | "changes"

/** The history on two new accounts. It leaves nothing in the queue, so that another can follow. */
export const play = Effect.fnUntraced(function* (
  history: History,
  looks: Looks,
): Effect.fn.Return<void, Disagreement, Services | Stage> {
  const stage = yield* Stage
  const world = yield* World.make(stage.now)
  const done: Array<string> = []
  const agree = (wrong: ReadonlyArray<string>) =>
    wrong.length > 0 ? Effect.fail(new Disagreement({ done, wrong })) : Effect.void
  const through = Effect.gen(function* () {
    for (const command of history) {
      const before = world.model
      stage.receive(world.birth)
      const step = yield* Commands.run(world, command)
      if (step === null) continue
      done.push(step.said)
      const seen = yield* look(world, looks === "all" ? null : before)
      yield* agree([...(step.wrong ?? []), ...seen, ...heard(world, before, stage)])
    }
    yield* agree(yield* look(world, null))
  })
  yield* through.pipe(
    Effect.catchDefect((defect) => new Disagreement({ done, wrong: [`it died: ${String(defect)}`] })),
    Effect.ensuring(end(world, stage)),
  )
})

/** A part of what there is: as the model has it, and as a storage shows it. */
interface Part {
  readonly is: (model: Model.Model) => object
  readonly expected: (model: Model.Model) => Sight.Sight
  readonly shown: (account: Sight.Account, model: Model.Model) => Effect.Effect<Sight.Sight, never, Services>
}

/** Deliveries are last, for they are named after their events. */
const parts: ReadonlyArray<Part> = [
  {
    is: ({ told }: Model.Model) => told,
    expected: Sight.told,
    shown: (account: Sight.Account, { told }: Model.Model) =>
      Sight.toldIn(account, (told[account.name]?.length ?? 0) - account.events.length),
  },
  { is: ({ endpoints }: Model.Model) => endpoints, expected: Sight.endpoints, shown: Sight.endpointsIn },
  { is: ({ deliveries }: Model.Model) => deliveries, expected: Sight.deliveries, shown: Sight.deliveriesIn },
]

/** What the storage shows, against the model: all of it, or what is not as it was `before`. */
const look = Effect.fnUntraced(function* (world: World.World, before: Model.Model | null) {
  const { model } = world
  const wrong: Array<string> = []
  for (const { is, expected, shown } of parts) {
    if (before !== null && is(before) === is(model)) continue
    const used = world.accounts.filter(({ name }) => isUsed(model, name))
    const sights = yield* Effect.forEach(used, (account) => shown(account, model), { concurrency: "unbounded" })
    wrong.push(...Sight.differences(expected(model), new Map(sights.flatMap((sight) => [...sight]))))
  }
  return before === null ? [...wrong, ...(yield* queue(world))] : wrong
})

const isUsed = ({ told, endpoints }: Model.Model, name: string) =>
  told[name] !== undefined || [...endpoints.values()].some(({ account }) => account === name)

/**
 * Whether nobody says if a delivery is part of the queue as a whole: one that was in order and under lease when its endpoint
 * ended, or one in order when there is an endpoint of that id again that is not, or the other way round.
 */
const isLost = (model: Model.Model, one: Model.Delivery): boolean => {
  const endpoint = model.endpoints.get(one.endpoint)
  if (Model.takeable(one) === Infinity) return false
  if (endpoint !== undefined && endpoint.ordered !== one.ordered) return true
  return one.ordered && one.status === "delivering" && !Model.isActive(model, one.endpoint)
}

/** The queue as a whole, against the model. */
const queue = Effect.fnUntraced(function* ({ model, now }: World.World) {
  if ([...model.deliveries.values()].some((one) => isLost(model, one))) return []
  const { due, overdue, oldest_due_at } = yield* (yield* Deliveries).stats
  const waiting = [...model.deliveries.values()]
    .filter(({ ordered }) => !ordered)
    .map(Model.takeable)
    .filter((at) => at <= now())
  const late = waiting.filter((at) => at < now() - OVERDUE_MS).length
  const oldest = waiting.length === 0 ? null : Math.min(...waiting)
  return [
    ...(due === waiting.length ? [] : [`${due} are due; should be ${waiting.length}`]),
    ...(overdue === late ? [] : [`${overdue} are overdue; should be ${late}`]),
    ...(oldest_due_at === oldest ? [] : [`the oldest is due at ${oldest_due_at}; should be ${oldest}`]),
  ]
})

/** What the receiver was told, against what happened. */
const heard = (world: World.World, before: Model.Model, stage: Stage["Service"]): ReadonlyArray<string> => {
  const { model, birth } = world
  const born = [...model.deliveries.keys()].filter((name) => !before.deliveries.has(name))
  const waiting = [...model.deliveries].filter(
    ([name, { status, manual }]) =>
      status === "pending" && (!before.deliveries.has(name) || manual !== before.deliveries.get(name)?.manual),
  )
  const offered = stage.offered.map((job) => ({ job, name: World.deliveryOf(world, job) }))
  world.jobs = [...world.jobs, ...offered]
  const names = offered.map(({ name }) => name).toSorted()
  const expected = born
    .filter((name) => birth.lease !== null && model.deliveries.get(name)?.lease === birth.lease)
    .toSorted()
  const recalled = stage.recalled.map((endpoint) => World.nameOf(world, endpoint))
  const changed = [...before.endpoints].filter(([name, endpoint]) => model.endpoints.get(name) !== endpoint)
  const outdated = changed.filter(([name, { status, url, ordered }]) => {
    const after = model.endpoints.get(name)
    return status === "active" && (after?.status !== "active" || after.url !== url || after.ordered !== ordered)
  })
  return [
    ...(names.join() === expected.join() ? [] : [`offered ${names.join()}; should be ${expected.join()}`]),
    ...offered.flatMap((one) => World.faults(world, one)),
    ...(waiting.length > 0 && !stage.woken() ? ["nobody was woken"] : []),
    ...outdated.flatMap(([name]) => (recalled.includes(name) ? [] : [`${name} was not recalled`])),
    ...recalled.flatMap((name) => (changed.some(([one]) => one === name) ? [] : [`${name} was recalled for nothing`])),
  ]
}

/** Removes the endpoints, and lets claims cancel what is left when all leases have run out. */
const end = Effect.fnUntraced(function* (world: World.World, stage: Stage["Service"]) {
  const [deliveries, endpoints] = [yield* Deliveries, yield* WebhookEndpoints]
  stage.receive(World.nobody)
  for (const name of world.model.endpoints.keys()) {
    const { account_id, endpoint_id } = World.endpoint(world, name)
    yield* Effect.ignore(endpoints.delete(account_id, endpoint_id))
  }
  stage.pass(FOREVER_MS)
  stage.lease(stage.now() + Queue.anything.lease_ms)
  for (let round = 0; round < 10; round++) {
    yield* deliveries.claim(Queue.anything)
    if ((yield* deliveries.stats).due === 0) return
  }
})
