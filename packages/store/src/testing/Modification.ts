/** What a modify keeps, what it refuses, and that no update is ever lost. */
import { assert } from "@effect/vitest"
import { Asset, Id, Product, Resource, Store } from "@tc/domain"
import { Clock, Effect, Result } from "effect"
import { Assets, Designs, Products, Stores } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

const changes = (it: Tests): void => {
  it.effect("the row that decide makes is kept, answered and told", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const account_id = yield* Fixture.account
      const before = yield* Fixture.store(account_id)
      yield* Fixture.later
      const after = yield* stores.modify(account_id, before.id, Resource.patch(Store.resource, { name: "Renamed" }))
      assert.deepStrictEqual(after, { ...before, name: "Renamed", updated_at: after.updated_at })
      assert.isAbove(Date.parse(after.updated_at), Date.parse(before.updated_at))
      assert.deepStrictEqual(yield* stores.get(account_id, before.id), after)
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["store.created", "store.updated"])
    }),
  )

  it.effect("decide is given the row as it is, and the time", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const row = yield* Fixture.store(account_id)
      const start = yield* Clock.currentTimeMillis
      const given: Array<unknown> = []
      yield* (yield* Stores).modify(account_id, row.id, (seen, now) => {
        given.push(seen)
        assert.isAtLeast(Date.parse(now), start)
        return Result.succeed({ row: seen, events: [] })
      })
      assert.isAtLeast(given.length, 1)
      assert.deepStrictEqual(given[0], row)
    }),
  )

  it.effect("the same row object back writes nothing and tells nothing", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const account_id = yield* Fixture.account
      const row = yield* Fixture.store(account_id)
      yield* Fixture.later
      const answer = yield* stores.modify(account_id, row.id, Resource.patch(Store.resource, { name: row.name }))
      assert.deepStrictEqual(answer, row)
      assert.deepStrictEqual(yield* stores.get(account_id, row.id), row)
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["store.created"])
    }),
  )

  it.effect("events beside the same row object are not told", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.store(account_id)
      yield* (yield* Stores).modify(account_id, id, (row) =>
        Result.succeed({ row, events: Resource.raise(Store.resource, "updated", row) }),
      )
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["store.created"])
    }),
  )

  it.effect("a caller that changes what decide was given or made changes nothing that is kept", () =>
    Effect.gen(function* () {
      const assets = yield* Assets
      const account_id = yield* Fixture.account
      const metadata = { kept: true }
      const { id } = yield* Fixture.asset(account_id, { metadata: { first: true } })
      const given: Array<object> = []
      yield* assets.modify(account_id, id, (row) => {
        given.push(row.metadata)
        return Result.succeed({ row: { ...row, metadata }, events: [] })
      })
      for (const made of [...given, metadata]) Object.assign(made, { kept: false })
      assert.deepStrictEqual((yield* assets.get(account_id, id)).metadata, { kept: true })
    }),
  )
}

const refused = (it: Tests): void => {
  it.effect("a refusal of decide is passed on, and nothing is written or told", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const account_id = yield* Fixture.account
      const row = yield* Fixture.store(account_id)
      assert.strictEqual(yield* Effect.flip(stores.modify(account_id, row.id, () => Result.fail("no" as const))), "no")
      assert.deepStrictEqual(yield* stores.get(account_id, row.id), row)
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["store.created"])
    }),
  )

  it.effect("a record that is not there is NotFound", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const id = Id.StoreId.id.make(crypto.randomUUID())
      const error = yield* Effect.flip((yield* Stores).modify(account_id, id, Resource.patch(Store.resource, {})))
      assert.strictEqual(error._tag, "NotFound")
    }),
  )

  it.effect("a new reference that leads nowhere is Invalid, and nothing is written or told", () =>
    Effect.gen(function* () {
      const products = yield* Products
      const { account_id, product_id } = yield* Fixture.shop
      const store_id = Id.StoreId.id.make(crypto.randomUUID())
      const before = yield* products.get(account_id, product_id)
      const error = yield* Effect.flip(
        products.modify(account_id, product_id, Resource.patch(Product.resource, { store_id })),
      )
      assert.deepStrictEqual(error._tag === "Invalid" && error.errors.map(({ path }) => path), ["/store_id"])
      assert.deepStrictEqual(yield* products.get(account_id, product_id), before)
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["store.created", "product.created"])
    }),
  )

  it.effect("a unique value of another record is a Conflict, its own is none", () =>
    Effect.gen(function* () {
      const designs = yield* Designs
      const { account_id, product_id } = yield* Fixture.shop
      const first = yield* Fixture.design(account_id, product_id)
      const second = yield* Fixture.design(account_id, product_id)
      const taking = (session_token: string) =>
        designs.modify(account_id, second.id, (row) => Result.succeed({ row: { ...row, session_token }, events: [] }))
      assert.strictEqual((yield* Effect.flip(taking(first.session_token))).code, "session_token_taken")
      assert.strictEqual((yield* taking(second.session_token)).id, second.id)
    }),
  )
}

/** Adds one to a number inside a record, as a caller that reads, computes and writes does. */
const increment = (row: Asset.Asset, now: string) => {
  const metadata = { n: Number(row.metadata["n"]) + 1 }
  return Resource.patch(Asset.resource, { metadata })(row, now)
}

const races = (it: Tests): void => {
  it.effect("of many increments at once none is lost, and each is told", () =>
    Effect.gen(function* () {
      const assets = yield* Assets
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.asset(account_id, { metadata: { n: 0 } })
      yield* Fixture.atOnce(20, () => assets.modify(account_id, id, increment))
      assert.deepStrictEqual((yield* assets.get(account_id, id)).metadata, { n: 20 })
      const updates = (yield* Fixture.told(account_id)).filter((name) => name === "asset.updated")
      assert.strictEqual(updates.length, 20)
    }),
  )
}

export const tests = (it: Tests): void => {
  changes(it)
  refused(it)
  races(it)
}

export const suite: Suite = suiteOf("Modification", tests)
