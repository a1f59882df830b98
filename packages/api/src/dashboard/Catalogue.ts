/** The account's records to look at: programs change them, people browse and search. */
import { Asset, Design, Errors, Event, Id, Name, Page, PrintArea, Product, Store, Template } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"

/** Query parameters that a value of a column is asked for with. */
type Filter = { readonly [column: string]: Schema.Codec<string | undefined, string | undefined> }

/** A page of summaries. */
const list = <R extends Crud.Described, F extends Filter>(resource: R, filter: F) =>
  HttpApiEndpoint.get("list", "/", {
    query: { ...Page.Query, ...filter },
    success: Page.Page(Crud.form(resource, "summary")),
    error: Errors.Invalid,
  }).annotateMerge(
    Crud.about(
      `List ${Name.spoken(resource.name)}s`,
      `${Crud.texts.list(resource)} Free-form JSON and long texts are left out.`,
    ),
  )

/** What happened to a record. */
const events = <R extends Crud.Described>(resource: R) =>
  HttpApiEndpoint.get("events", "/:id/events", {
    params: { id: Crud.form(resource, "id_input") },
    query: Page.Pagination,
    success: Page.Page(Event.EventSummary),
    error: [Errors.NotFound, Errors.Invalid],
  }).annotateMerge(
    Crud.about(
      `List what happened to a ${Name.spoken(resource.name)}`,
      "Its events, newest first, as long as they are kept, and how many deliveries there are of each.",
    ),
  )

/** The operations of a resource: pages of summaries, a whole record, and what led to it. */
const group = <R extends Crud.Described, F extends Filter>(resource: R, filter: F, description: string) =>
  HttpApiGroup.make<R["path"]>(Crud.form(resource, "path"))
    .add(list(resource, filter), Crud.get(resource), events(resource))
    .middleware(Roles)
    .middleware(Authentication)
    .prefix(`${PREFIX}/${Crud.form(resource, "path")}`)
    .annotate(OpenApi.Description, description)

const store_id = Schema.optionalKey(Id.StoreId.input)
const product_id = Schema.optionalKey(Id.ProductId.input)

export class Stores extends group(
  Store.resource,
  { connection_status: Schema.optionalKey(Store.ConnectionStatus) },
  "Connected shops.",
) {}

export class Products extends group(Product.resource, { store_id }, "Customizable products of stores.") {}

export class PrintAreas extends group(
  PrintArea.resource,
  { product_id },
  "The zones of products that customers can print on.",
) {}

export class Templates extends group(Template.resource, { store_id }, "Designs to start from.") {}

export class Designs extends group(
  Design.resource,
  { store_id, product_id, status: Schema.optionalKey(Design.Status) },
  "Customers' designs, from draft to cart.",
) {}

export class Assets extends group(
  Asset.resource,
  { asset_type: Schema.optionalKey(Asset.AssetType) },
  "Cliparts, fonts and backgrounds.",
) {}
