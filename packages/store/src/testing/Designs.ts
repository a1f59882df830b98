/** What only designs have: the store of their product, and a lifecycle that many may push at once. */
import { assert } from "@effect/vitest"
import { Design, Product, Resource } from "@tc/domain"
import { Effect, Result } from "effect"
import { Events } from "../Events.ts"
import { Designs, Products } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

const stores = (it: Tests): void => {
  it.effect("a design belongs to the store of its product, and is told so", () =>
    Effect.gen(function* () {
      const { account_id, store_id, product_id } = yield* Fixture.shop
      const design = yield* Fixture.design(account_id, product_id)
      assert.strictEqual(design.store_id, store_id)
      const { data } = yield* (yield* Events).list(account_id, { ...Fixture.all, event: "design.created" })
      assert.deepStrictEqual(
        data.map((event) => event.data["store_id"]),
        [store_id],
      )
    }),
  )

  it.effect("a design that moves to another product moves to its store, and is told so", () =>
    Effect.gen(function* () {
      const designs = yield* Designs
      const { account_id, product_id } = yield* Fixture.shop
      const other = yield* Fixture.store(account_id)
      const target = yield* Fixture.product(account_id, other.id)
      const { id } = yield* Fixture.design(account_id, product_id)
      const moved = yield* designs.modify(account_id, id, Design.patch({ product_id: target.id }))
      assert.strictEqual(moved.store_id, other.id)
      assert.deepStrictEqual(yield* designs.get(account_id, id), moved)
      const { data } = yield* (yield* Events).list(account_id, { ...Fixture.all, event: "design.updated" })
      assert.deepStrictEqual(
        data.map((event) => event.data["store_id"]),
        [other.id],
      )
    }),
  )

  it.effect("the designs of a product that moves to another store follow it in silence", () =>
    Effect.gen(function* () {
      const { account_id, store_id, product_id } = yield* Fixture.shop
      const other = yield* Fixture.store(account_id)
      const staying = yield* Fixture.product(account_id, store_id)
      const follower = yield* Fixture.design(account_id, product_id)
      const bystander = yield* Fixture.design(account_id, staying.id)
      const before = yield* Fixture.told(account_id)
      const move = Resource.patch(Product.resource, { store_id: other.id })
      yield* (yield* Products).modify(account_id, product_id, move)
      const designs = yield* Designs
      assert.deepStrictEqual(yield* designs.get(account_id, follower.id), { ...follower, store_id: other.id })
      assert.deepStrictEqual(yield* designs.get(account_id, bystander.id), bystander)
      assert.deepStrictEqual(yield* Fixture.told(account_id), [...before, "product.updated"])
    }),
  )
}

const lifecycle = (it: Tests): void => {
  it.effect("a design that is finalized at its creation tells both, in order", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      yield* Fixture.design(account_id, product_id, { status: "finalized" })
      assert.deepStrictEqual((yield* Fixture.told(account_id)).slice(-2), ["design.created", "design.finalized"])
    }),
  )

  it.effect("a patch that saves and finalizes tells both, in order", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      const { id } = yield* Fixture.design(account_id, product_id)
      const patch = Design.patch({ canvas_data: { done: true }, status: "finalized" })
      const { status, canvas_data } = yield* (yield* Designs).modify(account_id, id, patch)
      assert.deepStrictEqual({ status, canvas_data }, { status: "finalized", canvas_data: { done: true } })
      assert.deepStrictEqual((yield* Fixture.told(account_id)).slice(-2), ["design.updated", "design.finalized"])
    }),
  )

  it.effect("of many that finalize at once all succeed, and it is told once", () =>
    Effect.gen(function* () {
      const designs = yield* Designs
      const { account_id, product_id } = yield* Fixture.shop
      yield* Fixture.endpoint(account_id, { events: ["design.finalized"] })
      const { id } = yield* Fixture.design(account_id, product_id)
      const rows = yield* Fixture.atOnce(20, () => designs.modify(account_id, id, Design.finalize()))
      assert.deepStrictEqual(new Set(rows.map(({ status }) => status)), new Set(["finalized"]))
      const told = yield* Fixture.told(account_id)
      assert.strictEqual(told.filter((name) => name === "design.finalized").length, 1)
      assert.strictEqual((yield* Fixture.deliveries(account_id)).length, 1)
    }),
  )

  it.effect("a design changes no more once it is in a cart", () =>
    Effect.gen(function* () {
      const designs = yield* Designs
      const { account_id, product_id } = yield* Fixture.shop
      const { id } = yield* Fixture.design(account_id, product_id, { status: "finalized" })
      const locked = yield* designs.modify(account_id, id, Design.run("add_to_cart"))
      assert.isTrue(locked.cart_locked)
      const error = yield* Effect.flip(designs.modify(account_id, id, Design.patch({ metadata: { late: true } })))
      assert.strictEqual(error._tag === "Conflict" && error.code, "design_locked")
      assert.deepStrictEqual(yield* designs.get(account_id, id), locked)
    }),
  )
}

const races = (it: Tests): void => {
  it.effect("designs that are created while their product moves end up in its store", () =>
    Effect.gen(function* () {
      const products = yield* Products
      const { account_id, product_id } = yield* Fixture.shop
      const other = yield* Fixture.store(account_id)
      const create = Fixture.atOnce(8, () => Fixture.design(account_id, product_id))
      const move = products.modify(account_id, product_id, Resource.patch(Product.resource, { store_id: other.id }))
      yield* Effect.all([create, move, create], { concurrency: "unbounded" })
      const { data } = yield* (yield* Designs).list(account_id, Fixture.all)
      assert.deepStrictEqual(
        data.map(({ store_id }) => store_id),
        Array.from({ length: 16 }, () => other.id),
      )
    }),
  )

  it.effect("designs that move to a product while it is deleted stay where they were, or go with it", () =>
    Effect.gen(function* () {
      const designs = yield* Designs
      const { account_id, store_id, product_id } = yield* Fixture.shop
      const target = yield* Fixture.product(account_id, store_id)
      const rows = yield* Fixture.atOnce(10, () => Fixture.design(account_id, product_id))
      const move = (nth: number) =>
        Effect.result(designs.modify(account_id, rows[nth]!.id, Design.patch({ product_id: target.id })))
      const [moves] = yield* Effect.all([Fixture.atOnce(10, move), (yield* Products).delete(account_id, target.id)], {
        concurrency: "unbounded",
      })
      const refusals = moves.flatMap((result) => (Result.isFailure(result) ? [result.failure._tag] : []))
      assert.isTrue(refusals.every((tag) => tag === "Invalid"))
      const { data } = yield* designs.list(account_id, Fixture.all)
      assert.strictEqual(data.length, refusals.length)
      assert.isTrue(data.every((row) => row.product_id === product_id))
    }),
  )
}

export const tests = (it: Tests): void => {
  stores(it)
  lifecycle(it)
  races(it)
}

export const suite: Suite = suiteOf("Designs", tests)
