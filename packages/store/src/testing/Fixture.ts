/** What tests start from: an account of their own, and records in it. */
import {
  Asset,
  Design,
  type Errors,
  type Id,
  PrintArea,
  Product,
  type Resource,
  Store,
  Template,
  WebhookEndpoint,
} from "@tc/domain"
import { Effect, Result, Schema } from "effect"
import { Accounts } from "../Accounts.ts"
import { Deliveries, type ListRequest } from "../Deliveries.ts"
import { Events } from "../Events.ts"
import { Assets, Designs, PrintAreas, Products, Stores, Templates, WebhookEndpoints } from "../Repository.ts"

/** The first hundred records of a list. */
export const all = { page: 1, per_page: 100 } as const

/** A text that no other test has. */
export const unique = (prefix: string): string => `${prefix}-${crypto.randomUUID()}`

/** Long enough for the clock to have moved on. */
export const later: Effect.Effect<void> = Effect.sleep("4 millis")

/** The same work many times at once; `run` is told which time it is, from 0. */
export const atOnce = <A, E, R>(
  times: number,
  run: (nth: number) => Effect.Effect<A, E, R>,
): Effect.Effect<Array<A>, E, R> =>
  Effect.forEach(
    Array.from({ length: times }, (_, nth) => nth),
    run,
    { concurrency: "unbounded" },
  )

/** What callers may leave out is filled in as the API does it. */
const input = {
  store: Schema.decodeUnknownSync(Store.resource.create),
  product: Schema.decodeUnknownSync(Product.resource.create),
  printArea: Schema.decodeUnknownSync(PrintArea.resource.create),
  template: Schema.decodeUnknownSync(Template.resource.create),
  design: Schema.decodeUnknownSync(Design.resource.create),
  asset: Schema.decodeUnknownSync(Asset.resource.create),
  endpoint: Schema.decodeUnknownSync(WebhookEndpoint.resource.create),
}

/** A record in the making. */
type Made<I, R extends Resource.Any> = Effect.Effect<Resource.RowOf<R>, Errors.Conflict | Errors.Invalid, I>

/** A new account. */
export const account = Effect.flatMap(Accounts, (accounts) =>
  Effect.map(Effect.orDie(accounts.create(unique("test"))), ({ id }) => id),
)

export const store = (account_id: Id.AccountId, fields: object = {}): Made<Stores, typeof Store.resource> =>
  Effect.flatMap(Stores, (stores) =>
    stores.create(account_id, input.store({ name: "Shop", platform: "swell", ...fields })),
  )

export const product = (
  account_id: Id.AccountId,
  store_id: Id.StoreId,
  fields: object = {},
): Made<Products, typeof Product.resource> =>
  Effect.flatMap(Products, (products) =>
    products.create(account_id, input.product({ name: "Tee", store_id, ...fields })),
  )

export const printArea = (
  account_id: Id.AccountId,
  product_id: Id.ProductId,
  fields: object = {},
): Made<PrintAreas, typeof PrintArea.resource> =>
  Effect.flatMap(PrintAreas, (printAreas) => {
    const given = input.printArea({ name: "Front", width_px: 300, height_px: 400, ...fields })
    return printAreas.create(account_id, { ...given, product_id })
  })

export const template = (
  account_id: Id.AccountId,
  store_id: Id.StoreId,
  fields: object = {},
): Made<Templates, typeof Template.resource> =>
  Effect.flatMap(Templates, (templates) =>
    templates.create(account_id, input.template({ name: "Birthday", store_id, ...fields })),
  )

export const design = (
  account_id: Id.AccountId,
  product_id: Id.ProductId,
  fields: object = {},
): Made<Designs, typeof Design.resource> =>
  Effect.flatMap(Designs, (designs) => {
    const { session_token, ...given } = input.design({ product_id, ...fields })
    return designs.create(account_id, { ...given, session_token: session_token ?? unique("session") })
  })

export const asset = (account_id: Id.AccountId, fields: object = {}): Made<Assets, typeof Asset.resource> =>
  Effect.flatMap(Assets, (assets) =>
    assets.create(account_id, input.asset({ name: "Star", asset_type: "clipart", ...fields })),
  )

/** An active endpoint that wants all events, unless `fields` say otherwise. */
export const endpoint = (
  account_id: Id.AccountId,
  fields: object = {},
  secret: string = unique("sealed"),
): Made<WebhookEndpoints, typeof WebhookEndpoint.resource> =>
  Effect.flatMap(WebhookEndpoints, (endpoints) => {
    const given = input.endpoint({ url: "https://receiver.example/hook", events: "*", ...fields })
    return endpoints.create(account_id, { ...given, secret })
  })

/** Changes an endpoint as a PATCH does. */
export const patchEndpoint = (
  account_id: Id.AccountId,
  id: Id.WebhookEndpointId,
  change: WebhookEndpoint.Patch,
): Effect.Effect<
  WebhookEndpoint.WebhookEndpoint,
  Errors.NotFound | Errors.Conflict | Errors.Invalid,
  WebhookEndpoints
> =>
  Effect.flatMap(WebhookEndpoints, (endpoints) =>
    endpoints.modify(account_id, id, (row, now) => Result.succeed(WebhookEndpoint.patch(change)(row, now))),
  )

/** A new account with a store and a product. */
export const shop: Effect.Effect<
  { readonly account_id: Id.AccountId; readonly store_id: Id.StoreId; readonly product_id: Id.ProductId },
  Errors.Conflict | Errors.Invalid,
  Accounts | Stores | Products
> = Effect.gen(function* () {
  const account_id = yield* account
  const { id: store_id } = yield* store(account_id)
  const { id: product_id } = yield* product(account_id, store_id)
  return { account_id, store_id, product_id }
})

/** The names of an account's events, oldest first. */
export const told = (account_id: Id.AccountId) =>
  Effect.gen(function* () {
    const { data } = yield* (yield* Events).list(account_id, all)
    return data.map(({ event }) => event).toReversed()
  })

/** An account's deliveries, oldest first. */
export const deliveries = (account_id: Id.AccountId, filter: Partial<ListRequest> = {}) =>
  Effect.gen(function* () {
    const { data } = yield* (yield* Deliveries).list(account_id, { ...all, ...filter })
    return data.toReversed()
  })
