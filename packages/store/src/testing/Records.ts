/** What holds for the records of every resource alike. */
import { assert } from "@effect/vitest"
import {
  Asset,
  Design,
  Event,
  type Id,
  PrintArea,
  Product,
  Resource,
  Store,
  Template,
  WebhookEndpoint,
} from "@tc/domain"
import { type Context, Effect } from "effect"
import {
  Assets,
  Designs,
  PrintAreas,
  Products,
  type Repository,
  Stores,
  Templates,
  WebhookEndpoints,
} from "../Repository.ts"
import type { Services } from "../Services.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

/** A resource, where its records are kept, and how to make one. */
interface Kind<I, R extends Resource.Any> {
  readonly resource: R
  readonly service: Context.Service<I, Repository<R>>
  readonly make: (account_id: Id.AccountId) => Effect.Effect<Resource.RowOf<R>, unknown, Services>
}

const verbs = ["created", "deleted"] as const

const describe = <I extends Services, R extends Resource.Any>(it: Tests, { resource, service, make }: Kind<I, R>) => {
  const called = resource.path.replaceAll("_", " ")

  it.effect(`${called}: what a create answers is what is kept`, () =>
    Effect.gen(function* () {
      const repository = yield* service
      const account_id = yield* Fixture.account
      const row = yield* make(account_id)
      assert.deepStrictEqual(yield* repository.get(account_id, row.id), row)
      assert.deepStrictEqual((yield* repository.list(account_id, Fixture.all)).data, [row])
      assert.deepStrictEqual(Object.keys(row).toSorted(), resource.columns.toSorted())
    }),
  )

  it.effect(`${called}: a summary has what is short, in the order of the record`, () =>
    Effect.gen(function* () {
      const repository = yield* service
      const account_id = yield* Fixture.account
      const row = yield* make(account_id)
      const { data, meta } = yield* repository.summaries(account_id, Fixture.all)
      assert.strictEqual(JSON.stringify(data), JSON.stringify([Resource.summarize(resource, row)]))
      assert.strictEqual(meta.total, 1)
    }),
  )

  it.effect(`${called}: a record that was deleted is gone`, () =>
    Effect.gen(function* () {
      const repository = yield* service
      const account_id = yield* Fixture.account
      const row = yield* make(account_id)
      yield* repository.delete(account_id, row.id)
      assert.strictEqual((yield* Effect.flip(repository.get(account_id, row.id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(repository.delete(account_id, row.id)))._tag, "NotFound")
      assert.strictEqual((yield* repository.list(account_id, Fixture.all)).meta.total, 0)
    }),
  )

  it.effect(`${called}: coming and going are told as far as the catalogue has words for it`, () =>
    Effect.gen(function* () {
      const repository = yield* service
      const account_id = yield* Fixture.account
      const row = yield* make(account_id)
      yield* repository.delete(account_id, row.id)
      const names = verbs.map((verb) => `${resource.name}.${verb}`).filter((name) => catalogue.includes(name))
      const told = yield* Fixture.told(account_id)
      assert.deepStrictEqual(
        told.filter((name) => name.startsWith(`${resource.name}.`)),
        names,
      )
    }),
  )
}

const catalogue: ReadonlyArray<string> = Event.all

const inStore =
  <A, E, R>(make: (account_id: Id.AccountId, store_id: Id.StoreId) => Effect.Effect<A, E, R>) =>
  (account_id: Id.AccountId) =>
    Effect.flatMap(Fixture.store(account_id), ({ id }) => make(account_id, id))

const inProduct = <A, E, R>(make: (account_id: Id.AccountId, product_id: Id.ProductId) => Effect.Effect<A, E, R>) =>
  inStore((account_id, store_id) =>
    Effect.flatMap(Fixture.product(account_id, store_id), ({ id }) => make(account_id, id)),
  )

export const tests = (it: Tests): void => {
  describe(it, { resource: Store.resource, service: Stores, make: Fixture.store })
  describe(it, { resource: Product.resource, service: Products, make: inStore(Fixture.product) })
  describe(it, { resource: PrintArea.resource, service: PrintAreas, make: inProduct(Fixture.printArea) })
  describe(it, { resource: Template.resource, service: Templates, make: inStore(Fixture.template) })
  describe(it, { resource: Design.resource, service: Designs, make: inProduct(Fixture.design) })
  describe(it, { resource: Asset.resource, service: Assets, make: Fixture.asset })
  describe(it, { resource: WebhookEndpoint.resource, service: WebhookEndpoints, make: Fixture.endpoint })
}

export const suite: Suite = suiteOf("Records", tests)
