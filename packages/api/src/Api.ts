/** The REST contract: every operation there is, under its keys, scopes and failures. */
import { Asset, type Errors, Product, Store, Template } from "@tc/domain"
import { HttpApi } from "effect/http-api"
import { Authorization, Failures, Scopes } from "./Authorization.ts"
import * as Crud from "./Crud.ts"
import { Deliveries } from "./Deliveries.ts"
import { Designs } from "./Designs.ts"
import { Events } from "./Events.ts"
import { PrintAreas } from "./PrintAreas.ts"
import { Recoveries } from "./Recoveries.ts"
import { WebhookEndpoints } from "./WebhookEndpoints.ts"

/** The resources that the five operations are enough for. */
export const Stores: Crud.Group<typeof Store.resource> = Crud.group(Store.resource, "Connected shops.")
export const Products: Crud.Group<typeof Product.resource> = Crud.group(Product.resource, "Customizable products.")
export const Templates: Crud.Group<typeof Template.resource> = Crud.group(Template.resource, "Designs to start from.")
export const Assets: Crud.Group<typeof Asset.resource> = Crud.group(Asset.resource, "Cliparts, fonts and backgrounds.")

export class Api extends HttpApi.make("tc")
  .add(Stores, Products, PrintAreas, Templates, Designs, Assets, WebhookEndpoints, Deliveries, Recoveries, Events)
  // The last one added runs first.
  .middleware(Scopes)
  .middleware(Authorization)
  .middleware(Failures)
  // A caller is told of every wrong field at once.
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" }) {}

// The type of `Api` names the domain's errors, and so this file has to know them.
export type { Errors }
