/** What a list shows: exact totals, a stable order, literal searches, equal columns. */
import { assert } from "@effect/vitest"
import { type Id, Resource, Store } from "@tc/domain"
import { Effect } from "effect"
import { Assets, Designs, PrintAreas, Products, Stores, WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

/** Stores of these names, one after the other. */
const named = (account_id: Id.AccountId, names: ReadonlyArray<string>) =>
  Effect.forEach(names, (name) => Effect.tap(Fixture.store(account_id, { name }), Fixture.later))

/** The names of the stores that a search finds, newest first. */
const found = (account_id: Id.AccountId, q: string) =>
  Effect.gen(function* () {
    const { data, meta } = yield* (yield* Stores).list(account_id, { ...Fixture.all, q })
    assert.strictEqual(meta.total, data.length)
    return data.map(({ name }) => name)
  })

const pages = (it: Tests): void => {
  it.effect("pages show all records once, newest first, and tell the exact total", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const account_id = yield* Fixture.account
      yield* named(account_id, ["a", "b", "c", "d", "e"])
      const page = (page: number) =>
        Effect.map(stores.list(account_id, { page, per_page: 2 }), ({ data, meta }) => {
          assert.deepStrictEqual(meta, { page, per_page: 2, total: 5, total_pages: 3 })
          return data.map(({ name }) => name)
        })
      assert.deepStrictEqual(yield* Effect.all([page(1), page(2), page(3), page(4)]), [
        ["e", "d"],
        ["c", "b"],
        ["a"],
        [],
      ])
    }),
  )

  it.effect("an account without records has an empty first page", () =>
    Effect.gen(function* () {
      const { data, meta } = yield* (yield* Stores).list(yield* Fixture.account, { page: 1, per_page: 20 })
      assert.deepStrictEqual({ data, meta }, { data: [], meta: { page: 1, per_page: 20, total: 0, total_pages: 0 } })
    }),
  )

  it.effect("a change does not move a record", () =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const account_id = yield* Fixture.account
      const [first] = yield* named(account_id, ["a", "b"])
      yield* stores.modify(account_id, first!.id, Resource.patch(Store.resource, { name: "A" }))
      assert.deepStrictEqual(yield* found(account_id, ""), ["b", "A"])
    }),
  )

  it.effect("records of the same instant are put in order by id", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* Fixture.atOnce(30, () => Fixture.store(account_id))
      const { data } = yield* (yield* Stores).list(account_id, Fixture.all)
      const keys = data.map(({ created_at, id }) => `${created_at} ${id}`)
      assert.deepStrictEqual(keys, keys.toSorted().toReversed())
    }),
  )

  it.effect("print areas go by position, then oldest first", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      for (const [name, position] of [
        ["c", 2],
        ["d", 2],
        ["a", 0],
        ["b", 1],
      ] as const) {
        yield* Fixture.printArea(account_id, product_id, { name, position })
        yield* Fixture.later
      }
      const { data } = yield* (yield* PrintAreas).list(account_id, { ...Fixture.all, where: { product_id } })
      assert.deepStrictEqual(
        data.map(({ name }) => name),
        ["a", "b", "c", "d"],
      )
    }),
  )
}

const searches = (it: Tests): void => {
  it.effect("q finds a part of the name, whatever its case", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* named(account_id, ["Coffee Mugs", "T-shirts", "MUGSHOTS", "Élan"])
      assert.deepStrictEqual(yield* found(account_id, "mugs"), ["MUGSHOTS", "Coffee Mugs"])
      assert.deepStrictEqual(yield* found(account_id, "-SHIRT"), ["T-shirts"])
      assert.deepStrictEqual(yield* found(account_id, "éLAN"), ["Élan"])
      assert.deepStrictEqual(yield* found(account_id, "hats"), [])
    }),
  )

  it.effect("q takes %, _ and backslash for themselves", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* named(account_id, ["100% wool", "a_b", String.raw`c\d`, "plain"])
      assert.deepStrictEqual(yield* found(account_id, "%"), ["100% wool"])
      assert.deepStrictEqual(yield* found(account_id, "_"), ["a_b"])
      assert.deepStrictEqual(yield* found(account_id, "\\"), [String.raw`c\d`])
      assert.deepStrictEqual(yield* found(account_id, "'"), [])
    }),
  )

  it.effect("an empty q is no search", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* named(account_id, ["a", "b"])
      assert.deepStrictEqual(yield* found(account_id, ""), ["b", "a"])
    }),
  )

  it.effect("q searches the session_token of designs and the url of endpoints", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      yield* Fixture.design(account_id, product_id, { session_token: "Alpha" })
      yield* Fixture.design(account_id, product_id, { session_token: "beta" })
      yield* Fixture.endpoint(account_id, { url: "https://one.example/hook" })
      yield* Fixture.endpoint(account_id, { url: "https://two.example/hook" })
      const designs = yield* (yield* Designs).list(account_id, { ...Fixture.all, q: "ALPH" })
      assert.deepStrictEqual(
        designs.data.map((design) => design.session_token),
        ["Alpha"],
      )
      const endpoints = yield* (yield* WebhookEndpoints).list(account_id, { ...Fixture.all, q: "two." })
      assert.deepStrictEqual(
        endpoints.data.map(({ url }) => url),
        ["https://two.example/hook"],
      )
    }),
  )
}

const equalities = (it: Tests): void => {
  it.effect("where shows the records whose columns equal the values, and counts only those", () =>
    Effect.gen(function* () {
      const assets = yield* Assets
      const account_id = yield* Fixture.account
      yield* Fixture.asset(account_id, { name: "Star", category: "shapes" })
      yield* Fixture.asset(account_id, { name: "Serif", asset_type: "font", category: "shapes" })
      yield* Fixture.asset(account_id, { name: "Sans", asset_type: "font" })
      const named = (where: { readonly [column: string]: string }, q = "") =>
        Effect.map(assets.list(account_id, { page: 1, per_page: 1, q, where }), ({ data, meta }) => [
          ...data.map(({ name }) => name),
          meta.total,
        ])
      assert.deepStrictEqual(yield* named({ asset_type: "clipart" }), ["Star", 1])
      assert.deepStrictEqual(yield* named({ asset_type: "font", category: "shapes" }), ["Serif", 1])
      assert.deepStrictEqual(yield* named({ asset_type: "font" }, "SANS"), ["Sans", 1])
      assert.strictEqual((yield* named({ category: "shapes" }))[1], 2)
      assert.deepStrictEqual(yield* named({ category: "none" }), [0])
    }),
  )

  it.effect("summaries are searched, narrowed, put in order and paged as records are", () =>
    Effect.gen(function* () {
      const { account_id, store_id } = yield* Fixture.shop
      for (const name of ["Mug", "Old mug", "Cap"]) {
        yield* Fixture.later
        yield* Fixture.product(account_id, store_id, { name })
      }
      const other = yield* Fixture.store(account_id)
      yield* Fixture.product(account_id, other.id, { name: "Mug elsewhere" })
      const products = yield* Products
      const request = { page: 1, per_page: 1, q: "MUG", where: { store_id } }
      const { data, meta } = yield* products.summaries(account_id, request)
      assert.deepStrictEqual([data.map(({ name }) => name), meta.total], [["Old mug"], 2])
      const { data: rest } = yield* products.summaries(account_id, { ...request, page: 2 })
      assert.deepStrictEqual(
        rest.map(({ name }) => name),
        ["Mug"],
      )
      const stranger = yield* Fixture.account
      assert.strictEqual((yield* products.summaries(stranger, Fixture.all)).meta.total, 0)
    }),
  )

  it.effect("where takes references too", () =>
    Effect.gen(function* () {
      const { account_id, store_id, product_id } = yield* Fixture.shop
      const other = yield* Fixture.store(account_id)
      yield* Fixture.product(account_id, other.id)
      const { data, meta } = yield* (yield* Products).list(account_id, { ...Fixture.all, where: { store_id } })
      assert.deepStrictEqual([data.map(({ id }) => id), meta.total], [[product_id], 1])
    }),
  )
}

export const tests = (it: Tests): void => {
  pages(it)
  searches(it)
  equalities(it)
}

export const suite: Suite = suiteOf("Lists", tests)
