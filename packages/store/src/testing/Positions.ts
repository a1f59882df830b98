/** That a print area without a position gets the next one of its product, and no two the same. */
import { assert } from "@effect/vitest"
import { Limits } from "@tc/domain"
import { Effect } from "effect"
import { PrintAreas } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

export const tests = (it: Tests): void => {
  it.effect("the first print area of a product is 1, the next comes after the last", () =>
    Effect.gen(function* () {
      const { account_id, store_id, product_id } = yield* Fixture.shop
      const other = yield* Fixture.product(account_id, store_id)
      const position = (fields: object, of = product_id) =>
        Effect.map(Fixture.printArea(account_id, of, fields), ({ position }) => position)
      assert.deepStrictEqual(
        yield* Effect.all([
          position({}),
          position({}),
          position({ position: 7 }),
          position({ position: 3 }),
          position({}),
        ]),
        [1, 2, 7, 3, 8],
      )
      assert.strictEqual(yield* position({}, other.id), 1)
    }),
  )

  it.effect("after the highest position there is, all have that one, and stay in their order", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      yield* Fixture.printArea(account_id, product_id, { name: "a", position: Limits.POSITION_MAX })
      for (const name of ["b", "c"])
        yield* Effect.andThen(Fixture.later, Fixture.printArea(account_id, product_id, { name }))
      const { data } = yield* (yield* PrintAreas).list(account_id, { ...Fixture.all, where: { product_id } })
      assert.deepStrictEqual(
        data.map(({ name, position }) => [name, position]),
        ["a", "b", "c"].map((name) => [name, Limits.POSITION_MAX]),
      )
    }),
  )

  it.effect("the position of a print area that is gone is not missed", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      const first = yield* Fixture.printArea(account_id, product_id)
      yield* Fixture.printArea(account_id, product_id)
      yield* (yield* PrintAreas).delete(account_id, first.id)
      assert.strictEqual((yield* Fixture.printArea(account_id, product_id)).position, 3)
    }),
  )

  it.effect("print areas that are created at once get positions of their own", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      const areas = yield* Fixture.atOnce(20, () => Fixture.printArea(account_id, product_id))
      const positions = areas.map(({ position }) => position).toSorted((left, right) => left - right)
      assert.deepStrictEqual(
        positions,
        Array.from({ length: 20 }, (_, nth) => nth + 1),
      )
    }),
  )
}

export const suite: Suite = suiteOf("Positions", tests)
