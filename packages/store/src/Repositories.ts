/** The only list of repositories there is: all of them, over any backend. */
import { Asset, Design, PrintArea, Product, Store, Template, WebhookEndpoint, type Resource } from "@tc/domain"
import { type Effect, Layer } from "effect"
import {
  Assets,
  Designs,
  PrintAreas,
  Products,
  type Repository,
  Stores,
  Templates,
  WebhookEndpoints,
} from "./Repository.ts"

/** What a new row tells, where that is not `<name>.created` alone. */
export type Begun<Res extends Resource.Any> = (row: Resource.RowOf<Res>) => Resource.Change<Resource.RowOf<Res>>

/** A backend is one function: how it keeps any resource. */
export type Backend<R> = <Res extends Resource.Any>(
  resource: Res,
  begun?: Begun<Res>,
) => Effect.Effect<Repository<Res>, never, R>

/** Every resource there is, parents before children. */
export const resources: ReadonlyArray<Resource.Any> = [
  Store.resource,
  Product.resource,
  PrintArea.resource,
  Template.resource,
  Design.resource,
  Asset.resource,
  WebhookEndpoint.resource,
]

/** Every repository over one backend. */
export const layer = <R>(backend: Backend<R>) =>
  Layer.mergeAll(
    Layer.effect(Stores, backend(Store.resource)),
    Layer.effect(Products, backend(Product.resource)),
    Layer.effect(PrintAreas, backend(PrintArea.resource)),
    Layer.effect(Templates, backend(Template.resource)),
    Layer.effect(Designs, backend(Design.resource, Design.begun)),
    Layer.effect(Assets, backend(Asset.resource)),
    Layer.effect(WebhookEndpoints, backend(WebhookEndpoint.resource, WebhookEndpoint.begun)),
  )
