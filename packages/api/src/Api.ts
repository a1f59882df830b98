/** The REST contract: every operation there is, under its keys, scopes and failures. */
import type { Errors } from "@tc/domain"
import { HttpApi } from "effect/http-api"
import { Assets } from "./Assets.ts"
import { Authorization, Failures, Scopes } from "./Authorization.ts"
import { Deliveries } from "./Deliveries.ts"
import { Designs } from "./Designs.ts"
import { Events } from "./Events.ts"
import { PrintAreas } from "./PrintAreas.ts"
import { Products } from "./Products.ts"
import { Stores } from "./Stores.ts"
import { Templates } from "./Templates.ts"
import { WebhookEndpoints } from "./WebhookEndpoints.ts"

export class Api extends HttpApi.make("tc")
  .add(Stores, Products, PrintAreas, Templates, Designs, Assets, WebhookEndpoints, Deliveries, Events)
  // The last one added runs first.
  .middleware(Scopes)
  .middleware(Authorization)
  .middleware(Failures)
  // A caller is told of every wrong field at once.
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" }) {}

// The type of `Api` names the domain's errors, and so this file has to know them.
export type { Errors }
