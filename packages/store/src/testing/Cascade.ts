/** That a delete removes all below a record, each told for itself, and leaves no orphans. */
import { assert } from "@effect/vitest"
import { Design, type Id } from "@tc/domain"
import { Effect, Result } from "effect"
import { Designs, PrintAreas, Products, Stores, Templates } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

/** How many records of each kind below stores an account has. */
const counts = Effect.fnUntraced(function* (account_id: Id.AccountId) {
  const lists = [yield* Stores, yield* Products, yield* Templates, yield* PrintAreas, yield* Designs].map(
    (repository) => repository.list(account_id, Fixture.all),
  )
  return (yield* Effect.all(lists)).map(({ meta }) => meta.total)
})

/** A shop with one record more of each kind below a store or a product. */
const fullShop = Effect.gen(function* () {
  const shop = yield* Fixture.shop
  yield* Fixture.template(shop.account_id, shop.store_id)
  yield* Fixture.printArea(shop.account_id, shop.product_id)
  yield* Fixture.design(shop.account_id, shop.product_id)
  return shop
})

const deletes = (it: Tests): void => {
  it.effect("deleting a store removes its products and templates, and all below those", () =>
    Effect.gen(function* () {
      const { account_id, store_id } = yield* fullShop
      const other = yield* Fixture.store(account_id)
      yield* Fixture.template(account_id, other.id)
      yield* (yield* Stores).delete(account_id, store_id)
      assert.deepStrictEqual(yield* counts(account_id), [1, 0, 1, 0, 0])
    }),
  )

  it.effect("deleting a product removes its print areas and designs, and nothing else", () =>
    Effect.gen(function* () {
      const { account_id, store_id, product_id } = yield* fullShop
      const other = yield* Fixture.product(account_id, store_id)
      yield* Fixture.design(account_id, other.id)
      yield* (yield* Products).delete(account_id, product_id)
      assert.deepStrictEqual(yield* counts(account_id), [1, 1, 1, 0, 1])
    }),
  )

  it.effect("a guard that refuses keeps the record and all below it, untold", () =>
    Effect.gen(function* () {
      const { account_id, store_id } = yield* fullShop
      const before = yield* Fixture.told(account_id)
      const stores = yield* Stores
      const error = yield* Effect.flip(stores.delete(account_id, store_id, ({ id }) => Result.fail({ refused: id })))
      assert.deepStrictEqual(error, { refused: store_id })
      assert.deepStrictEqual(yield* counts(account_id), [1, 1, 1, 1, 1])
      assert.deepStrictEqual(yield* Fixture.told(account_id), before)
    }),
  )

  it.effect("a guard that agrees lets it go", () =>
    Effect.gen(function* () {
      const { account_id, store_id } = yield* fullShop
      yield* (yield* Stores).delete(account_id, store_id, () => Result.void)
      assert.deepStrictEqual(yield* counts(account_id), [0, 0, 0, 0, 0])
    }),
  )
}

const tellings = (it: Tests): void => {
  it.effect("each record that is removed is told, children before parents", () =>
    Effect.gen(function* () {
      const { account_id, store_id } = yield* fullShop
      yield* (yield* Stores).delete(account_id, store_id)
      const told = (yield* Fixture.told(account_id)).filter((name) => name.endsWith(".deleted"))
      const expected = ["design.deleted", "print_area.deleted", "product.deleted", "store.deleted", "template.deleted"]
      assert.deepStrictEqual(told.toSorted(), expected)
      const place = (name: string) => told.indexOf(`${name}.deleted`)
      assert.isBelow(place("print_area"), place("product"))
      assert.isBelow(place("design"), place("product"))
      assert.strictEqual(place("store"), told.length - 1)
    }),
  )

  it.effect("each deleted event has its delivery", () =>
    Effect.gen(function* () {
      const { account_id, store_id } = yield* fullShop
      yield* Fixture.endpoint(account_id, { events: ["design.deleted", "template.deleted", "store.deleted"] })
      yield* (yield* Stores).delete(account_id, store_id)
      const events = (yield* Fixture.deliveries(account_id)).map(({ event }) => event)
      assert.deepStrictEqual(events.toSorted(), ["design.deleted", "store.deleted", "template.deleted"])
    }),
  )
}

const races = (it: Tests): void => {
  it.effect("deleting a store while products are created in it leaves no orphans", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const { id: store_id } = yield* Fixture.store(account_id)
      const create = (nth: number) => Effect.result(Fixture.product(account_id, store_id, { name: `${nth}` }))
      const [early, , late] = yield* Effect.all(
        [Fixture.atOnce(10, create), (yield* Stores).delete(account_id, store_id), Fixture.atOnce(10, create)],
        { concurrency: "unbounded" },
      )
      const results = [...early, ...late]
      const refusals = results.flatMap((result) => (Result.isFailure(result) ? [result.failure._tag] : []))
      assert.isTrue(refusals.every((tag) => tag === "Invalid"))
      assert.deepStrictEqual(yield* counts(account_id), [0, 0, 0, 0, 0])
      const told = yield* Fixture.told(account_id)
      const created = results.length - refusals.length
      assert.strictEqual(told.filter((name) => name === "product.created").length, created)
      assert.strictEqual(told.filter((name) => name === "product.deleted").length, created)
    }),
  )

  it.effect("a record that is changed while the one above it is deleted is changed, or gone", () =>
    Effect.gen(function* () {
      const designs = yield* Designs
      const { account_id, store_id, product_id } = yield* Fixture.shop
      const rows = yield* Fixture.atOnce(8, () => Fixture.design(account_id, product_id))
      const [results] = yield* Effect.all(
        [
          Fixture.atOnce(8, (nth) => Effect.result(designs.modify(account_id, rows[nth]!.id, Design.finalize()))),
          (yield* Stores).delete(account_id, store_id),
        ],
        { concurrency: "unbounded" },
      )
      assert.isTrue(results.every((result) => Result.isSuccess(result) || result.failure._tag === "NotFound"))
      assert.deepStrictEqual(yield* counts(account_id), [0, 0, 0, 0, 0])
      const told = yield* Fixture.told(account_id)
      const finalized = told.filter((name) => name === "design.finalized").length
      assert.strictEqual(finalized, results.filter(Result.isSuccess).length)
    }),
  )

  it.effect("of many deletes of one record exactly one wins, and it is told once", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const { account_id, store_id } = yield* fullShop
      const results = yield* Fixture.atOnce(10, () => Effect.result(stores.delete(account_id, store_id)))
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      const told = yield* Fixture.told(account_id)
      assert.strictEqual(told.filter((name) => name.endsWith(".deleted")).length, 5)
    }),
  )
}

export const tests = (it: Tests): void => {
  deletes(it)
  tellings(it)
  races(it)
}

export const suite: Suite = suiteOf("Cascade", tests)
