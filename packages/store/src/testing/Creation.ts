/** What a create keeps, what it refuses, and who wins when many create the same. */
import { assert } from "@effect/vitest"
import { type Asset, type Errors, Id } from "@tc/domain"
import { Clock, Effect, Result } from "effect"
import { Assets, Designs, Stores, WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

const newStoreId = () => Id.StoreId.id.make(crypto.randomUUID())

/** The codes of the refusals among results, or the tag where an error has no code of its own. */
const refusals = (results: ReadonlyArray<Result.Result<unknown, Errors.Conflict | Errors.Invalid>>) =>
  results.flatMap((result) => (Result.isFailure(result) ? [result.failure.code] : []))

const spoil = (asset: Asset.Asset) => Object.assign(asset.metadata, { kept: false })

const beginnings = (it: Tests): void => {
  it.effect("a record begins with what is given, the defaults, and what nobody can send", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const row = yield* Fixture.store(account_id, { name: "Mugs", platform: "shopstack" })
      const { name, platform, domain, active, connection_status } = row
      assert.deepStrictEqual(
        { name, platform, domain, active, connection_status },
        { name: "Mugs", platform: "shopstack", domain: null, active: true, connection_status: "pending" },
      )
      assert.strictEqual(row.account_id, account_id)
    }),
  )

  it.effect("a record is created and updated at the time of its creation", () =>
    Effect.gen(function* () {
      const before = yield* Clock.currentTimeMillis
      const { created_at, updated_at } = yield* Fixture.store(yield* Fixture.account)
      assert.isAtLeast(Date.parse(created_at), before)
      assert.isAtMost(Date.parse(created_at), yield* Clock.currentTimeMillis)
      assert.strictEqual(updated_at, created_at)
    }),
  )

  it.effect("a record gets a UUIDv7 when it is given no id", () =>
    Effect.gen(function* () {
      const { id } = yield* Fixture.store(yield* Fixture.account)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u)
    }),
  )

  it.effect("a record keeps the id it is given", () =>
    Effect.gen(function* () {
      const id = newStoreId()
      assert.strictEqual((yield* Fixture.store(yield* Fixture.account, { id })).id, id)
    }),
  )

  it.effect("free-form JSON comes back as it was given", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      const text = String.raw`{"z":1,"a":{"":[null,true,1.5e300,-0.1,{"\u0000":"\ud800"}],"10":"😀 é","2":"'\"\\"}}`
      const { id } = yield* Fixture.design(account_id, product_id, { canvas_data: JSON.parse(text) })
      const { canvas_data } = yield* (yield* Designs).get(account_id, id)
      assert.strictEqual(JSON.stringify(canvas_data), JSON.stringify(JSON.parse(text)))
    }),
  )

  it.effect("records that are created at once are kept as each would be by itself", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const names = ["NULL", "null", "{}", "{a,b}", 'say "hi"', "back\\slash", "it's", "Käse 👩‍🎨", " ", "(1,2)"]
      const metadata = JSON.parse(String.raw`{"z":1,"a":["\u0000","\ud800",-0.1e-9,1.5e300,null],"10":"\\ \" é"}`)
      const created = yield* Fixture.atOnce(30, (nth) => {
        const name = names[nth % names.length]!
        return Fixture.asset(account_id, {
          name,
          category: nth % 3 === 0 ? null : name,
          metadata: { ...metadata, nth },
        })
      })
      const { data } = yield* (yield* Assets).list(account_id, Fixture.all)
      assert.deepStrictEqual(JSON.stringify(data.toReversed()), JSON.stringify(created))
    }),
  )

  it.effect("endpoints that are created at once are kept as each would be by itself", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const created = yield* Fixture.atOnce(12, (nth) =>
        Fixture.endpoint(account_id, {
          events: nth % 2 === 0 ? ["*"] : ["design.finalized", "asset.created"],
          max_per_second: nth % 3 === 0 ? nth + 1 : null,
          ordered: nth % 4 === 0,
        }),
      )
      const { data } = yield* (yield* WebhookEndpoints).list(account_id, Fixture.all)
      assert.deepStrictEqual(data.toReversed(), created)
    }),
  )

  it.effect("a design can be finalized from the start", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      const { id, status } = yield* Fixture.design(account_id, product_id, { status: "finalized" })
      assert.strictEqual(status, "finalized")
      assert.strictEqual((yield* (yield* Designs).get(account_id, id)).status, "finalized")
    }),
  )

  it.effect("a caller that changes what it gave or got changes nothing that is kept", () =>
    Effect.gen(function* () {
      const assets = yield* Assets
      const account_id = yield* Fixture.account
      const metadata = { kept: true }
      const id = Id.AssetId.id.make(crypto.randomUUID())
      const created = yield* assets.create(account_id, { ...(yield* Fixture.asset(account_id)), id, metadata })
      Object.assign(metadata, { kept: false })
      spoil(created)
      spoil(yield* assets.get(account_id, id))
      for (const asset of (yield* assets.list(account_id, Fixture.all)).data) spoil(asset)
      assert.deepStrictEqual((yield* assets.get(account_id, id)).metadata, { kept: true })
    }),
  )
}

const refused = (it: Tests): void => {
  it.effect("an id that is taken is a Conflict, and the record that has it stays as it is", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const first = yield* Fixture.store(account_id)
      const error = yield* Effect.flip(Fixture.store(account_id, { id: first.id, name: "Second" }))
      assert.strictEqual(error.code, "id_taken")
      assert.deepStrictEqual(yield* (yield* Stores).get(account_id, first.id), first)
    }),
  )

  it.effect("an id is taken in its own account and its own resource only", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.store(account_id)
      assert.strictEqual((yield* Fixture.store(yield* Fixture.account, { id })).id, id)
      assert.strictEqual<string>((yield* Fixture.asset(account_id, { id })).id, id)
    }),
  )

  it.effect("a reference that leads nowhere is Invalid and names its field", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const error = yield* Effect.flip(Fixture.product(account_id, newStoreId()))
      assert.deepStrictEqual(error._tag === "Invalid" && error.errors.map(({ path }) => path), ["/store_id"])
      const below = yield* Effect.flip(Fixture.design(account_id, Id.ProductId.id.make(crypto.randomUUID())))
      assert.deepStrictEqual(below._tag === "Invalid" && below.errors.map(({ path }) => path), ["/product_id"])
    }),
  )

  it.effect("a session_token is used once in an account", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* Fixture.shop, yield* Fixture.shop]
      const session_token = Fixture.unique("session")
      yield* Fixture.design(mine.account_id, mine.product_id, { session_token })
      const error = yield* Effect.flip(Fixture.design(mine.account_id, mine.product_id, { session_token }))
      assert.strictEqual(error.code, "session_token_taken")
      yield* Fixture.design(other.account_id, other.product_id, { session_token })
    }),
  )
}

const races = (it: Tests): void => {
  it.effect("of many creates with one id exactly one wins", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const id = newStoreId()
      const results = yield* Fixture.atOnce(20, (nth) =>
        Effect.result(Fixture.store(account_id, { id, name: `${nth}` })),
      )
      assert.deepStrictEqual(
        refusals(results),
        Array.from({ length: 19 }, () => "id_taken" as const),
      )
      const winners = results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
      assert.deepStrictEqual((yield* (yield* Stores).list(account_id, Fixture.all)).data, winners)
      assert.deepStrictEqual(yield* Fixture.told(account_id), ["store.created"])
    }),
  )

  it.effect("of many creates with one session_token exactly one wins", () =>
    Effect.gen(function* () {
      const { account_id, product_id } = yield* Fixture.shop
      const session_token = Fixture.unique("session")
      const results = yield* Fixture.atOnce(20, () =>
        Effect.result(Fixture.design(account_id, product_id, { session_token })),
      )
      assert.deepStrictEqual(
        refusals(results),
        Array.from({ length: 19 }, () => "session_token_taken" as const),
      )
      assert.strictEqual((yield* (yield* Designs).list(account_id, Fixture.all)).meta.total, 1)
    }),
  )
}

export const tests = (it: Tests): void => {
  beginnings(it)
  refused(it)
  races(it)
}

export const suite: Suite = suiteOf("Creation", tests)
