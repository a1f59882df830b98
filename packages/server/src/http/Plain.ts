/** The resources that the generic handlers are enough for. */
import { Api } from "@tc/api"
import { Asset, Product, Store, Template } from "@tc/domain"
import { Assets, Products, Stores, Templates } from "@tc/store"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "./Crud.ts"

export const layer = Layer.mergeAll(
  HttpApiBuilder.group(Api, "stores", (group) =>
    Effect.map(Stores, (stores) => group.handleAll(Crud.handlers(Store.resource, stores))),
  ),
  HttpApiBuilder.group(Api, "products", (group) =>
    Effect.map(Products, (products) => group.handleAll(Crud.handlers(Product.resource, products))),
  ),
  HttpApiBuilder.group(Api, "templates", (group) =>
    Effect.map(Templates, (templates) => group.handleAll(Crud.handlers(Template.resource, templates))),
  ),
  HttpApiBuilder.group(Api, "assets", (group) =>
    Effect.map(Assets, (assets) => group.handleAll(Crud.handlers(Asset.resource, assets))),
  ),
)
