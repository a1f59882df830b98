/** The contract of the dashboard's own API: the one that its page uses, and that another page could. */
import type { Errors } from "@tc/domain"
import { HttpApi } from "effect/http-api"
import { Failures } from "../Authorization.ts"
import { SameOrigin } from "./Access.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Deliveries, EventTypes } from "./Deliveries.ts"
import { Audit, Invitations, Members } from "./Members.ts"
import { Sessions, SignUps } from "./Sessions.ts"
import { WebhookEndpoints } from "./WebhookEndpoints.ts"

export class Dashboard extends HttpApi.make("tc_dashboard")
  .add(SignUps, Sessions, Members, Invitations, Audit, ApiKeys, WebhookEndpoints, Deliveries, EventTypes)
  // The last one added runs first.
  .middleware(SameOrigin)
  .middleware(Failures)
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" }) {}

export * from "./Access.ts"
export * from "./ApiKeys.ts"
export * from "./Deliveries.ts"
export * from "./Members.ts"
export * from "./Sessions.ts"
export * from "./WebhookEndpoints.ts"

export type { Errors }
