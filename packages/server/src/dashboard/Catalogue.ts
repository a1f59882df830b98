/** The account's records to look at. */
import { Dashboard } from "@tc/api"
import { Asset, Design, type Page, PrintArea, Product, type Resource, Store, Template, Value } from "@tc/domain"
import { Assets, Designs, Events, PrintAreas, Products, type Repository, Stores, Templates } from "@tc/store"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "../http/Crud.ts"
import * as Responses from "../http/Responses.ts"

/** The filters of a list stand beside its page, named as the columns that they compare. */
type Query = Page.Request & { readonly [column: string]: string | number | undefined }

const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string"

/** Milliseconds by which the clocks of servers may differ: one of them made the record, others its events. */
const SKEW_MS = 3_600_000

/** The handlers of a resource. */
const handlers = <R extends Resource.Any>(
  resource: R,
  repository: Repository<R>,
  history: Events["Service"]["history"],
) => ({
  list: ({ query: { page, per_page, q = "", ...filters } }: { readonly query: Query }) =>
    Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) => {
      const where = Object.fromEntries(Object.entries(filters).filter(isText))
      return Effect.map(repository.summaries(account_id, { page, per_page, q, where }), (found) =>
        Responses.json(found),
      )
    }),
  get: ({ params: { id } }: { readonly params: { readonly id: Resource.IdOf<R> } }) =>
    Effect.flatMap(Dashboard.CurrentSession, ({ account_id }) =>
      Effect.map(repository.get(account_id, id), Crud.shown(resource)),
    ),
  events: ({
    params: { id },
    query,
  }: {
    readonly params: { readonly id: Resource.IdOf<R> }
    readonly query: Page.Request
  }) =>
    Effect.gen(function* () {
      const { account_id } = yield* Dashboard.CurrentSession
      const { created_at } = yield* repository.get(account_id, id)
      const since = Value.timestamp(Date.parse(created_at) - SKEW_MS)
      const { told_as = [resource.name] } = resource
      return Responses.json(yield* history(account_id, { ...query, record_id: id, told_as, since }))
    }),
})

const { Dashboard: api } = Dashboard

export const layer = Layer.unwrap(
  Effect.map(Events, ({ history }) =>
    Layer.mergeAll(
      HttpApiBuilder.group(api, "stores", (group) =>
        Effect.map(Stores, (stores) => group.handleAll(handlers(Store.resource, stores, history))),
      ),
      HttpApiBuilder.group(api, "products", (group) =>
        Effect.map(Products, (products) => group.handleAll(handlers(Product.resource, products, history))),
      ),
      HttpApiBuilder.group(api, "print_areas", (group) =>
        Effect.map(PrintAreas, (areas) => group.handleAll(handlers(PrintArea.resource, areas, history))),
      ),
      HttpApiBuilder.group(api, "templates", (group) =>
        Effect.map(Templates, (templates) => group.handleAll(handlers(Template.resource, templates, history))),
      ),
      HttpApiBuilder.group(api, "designs", (group) =>
        Effect.map(Designs, (designs) => group.handleAll(handlers(Design.resource, designs, history))),
      ),
      HttpApiBuilder.group(api, "assets", (group) =>
        Effect.map(Assets, (assets) => group.handleAll(handlers(Asset.resource, assets, history))),
      ),
    ),
  ),
)
