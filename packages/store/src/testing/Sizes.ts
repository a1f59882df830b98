/** That what is large is bounded in bytes: a record, a page, and what a removal holds at once. */
import { assert } from "@effect/vitest"
import { Design, type Id, Limits, Resource } from "@tc/domain"
import { Effect } from "effect"
import { Events } from "../Events.ts"
import { Assets, Designs, Products } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

const MIB = 1024 * 1024
/** More records than a storage removes in one go. */
const MANY = 1_100

const text = (bytes: number) => ({ text: "x".repeat(bytes) })

const pages = (it: Tests): void => {
  it.effect("a page of records that are too large together is refused, and a smaller one is not", () =>
    Effect.gen(function* () {
      const assets = yield* Assets
      const account_id = yield* Fixture.account
      yield* Fixture.atOnce(4, () => Fixture.asset(account_id, { metadata: text(10_000) }))
      const list = (per_page: number) => assets.list(account_id, { page: 1, per_page, max_bytes: 35_000 })
      const { errors } = yield* Effect.flip(list(4))
      assert.deepStrictEqual(
        errors.map(({ path }) => path),
        ["/per_page"],
      )
      const { data, meta } = yield* list(3)
      assert.deepStrictEqual([data.length, meta.total], [3, 4])
    }),
  )

  it.effect("a page of summaries has nothing of what is large", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* Fixture.atOnce(4, () => Fixture.asset(account_id, { metadata: text(10_000) }))
      const { data } = yield* (yield* Assets).summaries(account_id, Fixture.all)
      assert.lengthOf(data, 4)
      assert.isBelow(JSON.stringify(data).length, 4_000)
    }),
  )

  it.effect("a page of events that are too large together is refused, and a smaller one is not", () =>
    Effect.gen(function* () {
      const events = yield* Events
      const account_id = yield* Fixture.account
      yield* Fixture.atOnce(4, () => Fixture.asset(account_id, { metadata: text(10_000) }))
      const list = (per_page: number) => events.list(account_id, { page: 1, per_page, max_bytes: 35_000 })
      assert.strictEqual((yield* Effect.flip(list(4)))._tag, "Invalid")
      const { data, meta } = yield* list(3)
      assert.deepStrictEqual([data.length, meta.total], [3, 4])
    }),
  )
}

const records = (it: Tests): void => {
  it.effect("a record cannot grow beyond what one may be, and stays as it was", () =>
    Effect.gen(function* () {
      const designs = yield* Designs
      const { account_id, product_id } = yield* Fixture.shop
      const half = text(Limits.RECORD_MAX_BYTES / 2)
      const design = yield* Fixture.design(account_id, product_id, { canvas_data: half })
      const grown = Resource.patch(Design.resource, { metadata: half })
      assert.strictEqual((yield* Effect.flip(designs.modify(account_id, design.id, grown)))._tag, "Invalid")
      assert.deepStrictEqual((yield* designs.get(account_id, design.id)).metadata, {})
    }),
  )

  it.effect("a record cannot be created larger than one may be", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      const create = Fixture.design(account_id, product_id, { canvas_data: text(Limits.RECORD_MAX_BYTES) })
      assert.strictEqual((yield* Effect.flip(create))._tag, "Invalid")
    }),
  )

  it.effect("a record is measured in bytes, whatever its letters", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Fixture.shop
      const create = Fixture.asset(account_id, { metadata: { text: "é".repeat(Limits.RECORD_MAX_BYTES / 2) } })
      assert.strictEqual((yield* Effect.flip(create))._tag, "Invalid")
    }),
  )
}

/** What is left of designs after their product was deleted, and how many were told to be gone. */
const remove = Effect.fnUntraced(function* (account_id: Id.AccountId, product_id: Id.ProductId) {
  yield* (yield* Products).delete(account_id, product_id)
  const { meta } = yield* (yield* Designs).list(account_id, Fixture.all)
  const told = yield* (yield* Events).list(account_id, { page: 1, per_page: 1, event: "design.deleted" })
  return [meta.total, told.meta.total]
})

const removals = (it: Tests): void => {
  it.effect("a record is removed with all below it, however many they are", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      yield* Fixture.atOnce(MANY, () => Fixture.design(account_id, product_id))
      assert.deepStrictEqual(yield* remove(account_id, product_id), [0, MANY])
    }),
  )

  it.effect("a record is removed with all below it, however large they are", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      for (const _ of [1, 2, 3]) yield* Fixture.design(account_id, product_id, { canvas_data: text(9 * MIB) })
      assert.deepStrictEqual(yield* remove(account_id, product_id), [0, 3])
    }),
  )
}

export const tests = (it: Tests): void => {
  pages(it)
  records(it)
  removals(it)
}

export const suite: Suite = suiteOf("Sizes", tests)
