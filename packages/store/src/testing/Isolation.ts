/** That an account never sees, changes or refers to what another one has. */
import { assert } from "@effect/vitest"
import { Resource, Store } from "@tc/domain"
import { Effect, Result } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { Events } from "../Events.ts"
import { PrintAreas, Stores } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

const records = (it: Tests): void => {
  it.effect("a record of another account is NotFound, whatever is asked of it", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const owner = yield* Fixture.account
      const stranger = yield* Fixture.account
      const row = yield* Fixture.store(owner)
      const errors = yield* Effect.all([
        Effect.flip(stores.get(stranger, row.id)),
        Effect.flip(stores.modify(stranger, row.id, Resource.patch(Store.resource, { name: "Mine" }))),
        Effect.flip(stores.delete(stranger, row.id)),
      ])
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["NotFound", "NotFound", "NotFound"],
      )
      assert.deepStrictEqual(yield* stores.get(owner, row.id), row)
    }),
  )

  it.effect("a decision that points at another record changes the one that it was given, and no other", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const [owner, stranger] = [yield* Fixture.account, yield* Fixture.account]
      const mine = yield* Fixture.store(owner, { name: "Mine" })
      const sibling = yield* Fixture.store(owner, { name: "Sibling" })
      const foreign = yield* Fixture.store(stranger, { name: "Foreign" })
      for (const other of [foreign, sibling]) {
        const row = { ...other, name: "Taken over" }
        const changed = yield* stores.modify(owner, mine.id, () =>
          Result.succeed({ row, events: Resource.raise(Store.resource, "updated", row) }),
        )
        const { account_id, id, created_at } = mine
        assert.deepStrictEqual(changed, { ...row, account_id, id, created_at })
        assert.deepStrictEqual(yield* stores.get(owner, mine.id), changed)
      }
      assert.deepStrictEqual(yield* stores.get(stranger, foreign.id), foreign)
      assert.deepStrictEqual(yield* stores.get(owner, sibling.id), sibling)
      const { data } = yield* (yield* Events).list(owner, { ...Fixture.all, event: "store.updated" })
      assert.deepStrictEqual(
        data.map((event) => event.data["id"]),
        [mine.id, mine.id],
      )
    }),
  )

  it.effect("a list shows and counts the records of its account only", () =>
    Effect.gen(function* () {
      const [owner, stranger] = [yield* Fixture.account, yield* Fixture.account]
      yield* Fixture.store(owner, { name: "Mugs" })
      const { data, meta } = yield* (yield* Stores).list(stranger, { ...Fixture.all, q: "Mugs" })
      assert.deepStrictEqual([data, meta.total], [[], 0])
    }),
  )

  it.effect("a reference to a record of another account is Invalid", () =>
    Effect.gen(function* () {
      const [owner, stranger] = [yield* Fixture.shop, yield* Fixture.account]
      const errors = yield* Effect.all([
        Effect.flip(Fixture.product(stranger, owner.store_id)),
        Effect.flip(Fixture.template(stranger, owner.store_id)),
        Effect.flip(Fixture.printArea(stranger, owner.product_id)),
        Effect.flip(Fixture.design(stranger, owner.product_id)),
      ])
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["Invalid", "Invalid", "Invalid", "Invalid"],
      )
    }),
  )

  it.effect("accounts with records of the same ids keep them apart", () =>
    Effect.gen(function* () {
      const printAreas = yield* PrintAreas
      const first = yield* Fixture.shop
      const second = yield* Fixture.account
      yield* Fixture.store(second, { id: first.store_id })
      yield* Fixture.product(second, first.store_id, { id: first.product_id })
      yield* Fixture.printArea(first.account_id, first.product_id)
      const { id, position } = yield* Fixture.printArea(second, first.product_id)
      assert.strictEqual(position, 1)
      yield* (yield* Stores).delete(first.account_id, first.store_id)
      assert.strictEqual((yield* printAreas.get(second, id)).product_id, first.product_id)
    }),
  )
}

const tellings = (it: Tests): void => {
  it.effect("an event is listed in its account, and delivered to its endpoints, only", () =>
    Effect.gen(function* () {
      const [owner, stranger] = [yield* Fixture.account, yield* Fixture.account]
      const endpoint = yield* Fixture.endpoint(owner)
      yield* Fixture.endpoint(stranger)
      yield* Fixture.asset(owner)
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(owner)).map(({ endpoint_id }) => endpoint_id),
        [endpoint.id],
      )
      assert.deepStrictEqual(yield* Fixture.deliveries(stranger), [])
      assert.strictEqual((yield* (yield* Events).list(stranger, Fixture.all)).meta.total, 0)
    }),
  )

  it.effect("a delivery of another account is NotFound", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const [owner, stranger] = [yield* Fixture.account, yield* Fixture.account]
      yield* Fixture.endpoint(owner)
      yield* Fixture.asset(owner)
      const [delivery] = yield* Fixture.deliveries(owner)
      assert.strictEqual((yield* Effect.flip(deliveries.get(stranger, delivery!.id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(deliveries.retry(stranger, delivery!.id)))._tag, "NotFound")
    }),
  )
}

export const tests = (it: Tests): void => {
  records(it)
  tellings(it)
}

export const suite: Suite = suiteOf("Isolation", tests)
