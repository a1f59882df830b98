/** Changes of records in a history, and what they tell. */
import { Asset, Id, Resource, Sample } from "@tc/domain"
import { Effect } from "effect"
import { Events } from "../Events.ts"
import { Assets, Stores } from "../Repository.ts"
import * as Fixture from "./Fixture.ts"
import type * as History from "./History.ts"
import * as Model from "./Model.ts"
import * as World from "./World.ts"

/** Assets that come at once. */
const BURST = 4

type Write = typeof History.Write.Type

/** Makes a record; answers it, and the events that it should have told. */
const make = Effect.fnUntraced(function* (world: World.World, account: string, kind: World.Kept["kind"]) {
  const { id: account_id } = World.account(world, account)
  if (kind === "store") {
    const { id } = yield* Fixture.store(account_id)
    yield* Fixture.product(account_id, id)
    return { kept: { account, kind, id }, events: ["store.created", "product.created"] }
  }
  const { id } = yield* Fixture.asset(account_id, { asset_type: kind === "font" ? "font" : "clipart" })
  return { kept: { account, kind, id }, events: [`${kind}.created`] }
})

/** Changes an asset, or tries to. */
const alter = Effect.fnUntraced(function* (account_id: Id.AccountId, { id: text, kind }: World.Kept, what: string) {
  const id = Id.AssetId.id.make(text)
  if (what === "taken") {
    yield* Effect.flip(Fixture.asset(account_id, { id }))
    return []
  }
  const name = what === "same" ? "Star" : "Star*"
  const before = yield* (yield* Assets).get(account_id, id)
  yield* (yield* Assets).modify(account_id, id, Resource.patch(Asset.resource, { name }))
  return before.name === name ? [] : [`${kind}.updated`]
})

/** Removes a record; with a store goes its product. */
const drop = Effect.fnUntraced(function* (account_id: Id.AccountId, { id, kind }: World.Kept) {
  if (kind === "store") {
    yield* (yield* Stores).delete(account_id, Id.StoreId.id.make(id))
    return ["product.deleted", "store.deleted"]
  }
  yield* (yield* Assets).delete(account_id, Id.AssetId.id.make(id))
  return [`${kind}.deleted`]
})

const happen = Effect.fnUntraced(function* (world: World.World, { account, what }: Write) {
  if (what === "emit") {
    const { id } = World.account(world, account)
    yield* (yield* Events).emit(id, { event: "bulk_order.completed", data: Sample.bulk_order })
    return ["bulk_order.completed"]
  }
  if (what === "burst") {
    const made = yield* Effect.all(
      Array.from({ length: BURST }, () => make(world, account, "asset")),
      { concurrency: BURST },
    )
    world.records = [...world.records, ...made.map(({ kept }) => kept)]
    return made.flatMap(({ events }) => events)
  }
  if (what === "asset" || what === "font" || what === "store") {
    const { kept, events } = yield* make(world, account, what)
    world.records = [...world.records, kept]
    return events
  }
  const { id: account_id } = World.account(world, account)
  const newest = world.records.findLast((one) => one.account === account && (what === "delete" || one.kind !== "store"))
  if (newest === undefined) return null
  if (what !== "delete") return yield* alter(account_id, newest, what)
  world.records = world.records.filter((one) => one !== newest)
  return yield* drop(account_id, newest)
})

export const write = (world: World.World, command: Write) =>
  Effect.map(Effect.orDie(happen(world, command)), (events) => {
    if (events === null) return null
    const { account, what } = command
    world.model = Model.raise(world.model, account, events, world.now(), world.birth)
    return { said: `account ${account}, ${what}: tells ${events.join(", ") || "nothing"}` }
  })
