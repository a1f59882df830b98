/** That a record, its events and their deliveries are written together or not at all. */
import { assert } from "@effect/vitest"
import { Id, Resource, Store } from "@tc/domain"
import { Effect, Exit, Result, Schedule } from "effect"
import { Events } from "../Events.ts"
import { Stores } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

/** What an account has: the stores, the events told of stores, and the events under way to its endpoint. */
const written = (account_id: Id.AccountId) =>
  Effect.gen(function* () {
    const { data } = yield* (yield* Stores).list(account_id, Fixture.all)
    const names = data.map(({ name }) => name).toReversed()
    const told = yield* Fixture.told(account_id)
    const delivered: ReadonlyArray<string> = (yield* Fixture.deliveries(account_id)).map(({ event }) => event)
    return { names, told, delivered: delivered.toSorted() }
  })

const bug = () => {
  throw new Error("a decision with a bug")
}

const refused = (it: Tests): void => {
  it.effect("an event and its delivery are there exactly when the record is", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const account_id = yield* Fixture.account
      yield* Fixture.endpoint(account_id)
      assert.deepStrictEqual(yield* written(account_id), { names: [], told: [], delivered: [] })
      const { id } = yield* Fixture.store(account_id, { name: "Mugs" })
      const once = { names: ["Mugs"], told: ["store.created"], delivered: ["store.created"] }
      assert.deepStrictEqual(yield* written(account_id), once)
      yield* stores.delete(account_id, id)
      const twice = ["store.created", "store.deleted"]
      assert.deepStrictEqual(yield* written(account_id), { names: [], told: twice, delivered: twice })
    }),
  )

  it.effect("a create that is refused leaves no event and no delivery", () =>
    Effect.gen(function* () {
      const { account_id, store_id, product_id } = yield* Fixture.shop
      yield* Fixture.endpoint(account_id)
      const { session_token } = yield* Fixture.design(account_id, product_id)
      const before = yield* written(account_id)
      yield* Effect.flip(Fixture.store(account_id, { id: store_id }))
      yield* Effect.flip(Fixture.design(account_id, product_id, { session_token }))
      yield* Effect.flip(Fixture.product(account_id, Id.StoreId.id.make(crypto.randomUUID())))
      assert.deepStrictEqual(yield* written(account_id), before)
    }),
  )

  it.effect("a modify that is refused, or decided by a bug, leaves everything as it was", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const account_id = yield* Fixture.account
      yield* Fixture.endpoint(account_id)
      const { id } = yield* Fixture.store(account_id, { name: "Mugs" })
      const before = yield* written(account_id)
      yield* Effect.flip(stores.modify(account_id, id, () => Result.fail("no")))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(stores.modify(account_id, id, bug))))
      assert.deepStrictEqual(yield* written(account_id), before)
      yield* stores.modify(account_id, id, Resource.patch(Store.resource, { name: "Cups" }))
      assert.deepStrictEqual((yield* written(account_id)).names, ["Cups"])
    }),
  )
}

/** What must have been told of a store that looks like this. */
const eventsOf = ({ id, name }: Store.Store): ReadonlyArray<string> =>
  name === "Renamed" ? [`store.created ${id}`, `store.updated ${id}`] : [`store.created ${id}`]

const read = (it: Tests): void => {
  it.effect("who sees a record, or a change of it, sees the event that tells of it", () =>
    Effect.gen(function* () {
      const [stores, events] = [yield* Stores, yield* Events]
      const account_id = yield* Fixture.account
      const rename = ({ id }: Store.Store) =>
        stores.modify(account_id, id, Resource.patch(Store.resource, { name: "Renamed" }))
      const write = Fixture.atOnce(40, () => Effect.flatMap(Fixture.store(account_id), rename))
      const look = Effect.gen(function* () {
        const { data } = yield* stores.list(account_id, Fixture.all)
        const told = yield* events.list(account_id, Fixture.all)
        const heard = new Set(told.data.map(({ event, data }) => `${event} ${String(data["id"])}`))
        const missing = data.flatMap(eventsOf).filter((event) => !heard.has(event))
        assert.deepStrictEqual(missing, [])
      })
      const writing = yield* Effect.forkChild(write)
      yield* Effect.repeat(look, { until: () => writing.pollUnsafe() !== undefined })
      yield* look
    }),
  )
}

const interrupted = (it: Tests): void => {
  it.effect("work that is interrupted has happened with its event and its delivery, or not at all", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* Fixture.endpoint(account_id)
      const create = (nth: number) =>
        Fixture.store(account_id, { name: `${nth}` }).pipe(Effect.timeoutOption(`${nth % 5} millis`))
      yield* Fixture.atOnce(20, create)
      // An interrupted transaction may be over only a moment later, between two of the lists.
      const { names, told, delivered } = yield* Effect.repeat(written(account_id), {
        until: ({ names, told, delivered }) => told.length === names.length && delivered.length === names.length,
        schedule: Schedule.spaced("10 millis"),
        times: 100,
      })
      assert.deepStrictEqual([told.length, delivered.length], [names.length, names.length])
    }),
  )
}

export const tests = (it: Tests): void => {
  refused(it)
  read(it)
  interrupted(it)
}

export const suite: Suite = suiteOf("Atomicity", tests)
