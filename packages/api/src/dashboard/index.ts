/** The contract of the dashboard's own API: the one that its page uses, and that another page could. */
import type { Errors } from "@tc/domain"
import { HttpApi } from "effect/http-api"
import { Failures } from "../Authorization.ts"
import { SameOrigin } from "./Access.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { AuditLog } from "./AuditLog.ts"
import { Assets, Designs, PrintAreas, Products, Stores, Templates } from "./Catalogue.ts"
import { Deliveries } from "./Deliveries.ts"
import { EventTypes } from "./EventTypes.ts"
import { Invitations } from "./Invitations.ts"
import { Members } from "./Members.ts"
import { Overviews } from "./Overview.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { Sessions } from "./Sessions.ts"
import { SignUps } from "./SignUps.ts"
import { WebhookEndpoints } from "./WebhookEndpoints.ts"

export class Dashboard extends HttpApi.make("tc_dashboard")
  .add(
    SignUps,
    PasswordResets,
    Sessions,
    Members,
    Invitations,
    AuditLog,
    ApiKeys,
    WebhookEndpoints,
    Deliveries,
    EventTypes,
  )
  .add(Overviews)
  .add(Stores, Products, PrintAreas, Templates, Designs, Assets)
  // The last one added runs first.
  .middleware(SameOrigin)
  .middleware(Failures)
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" }) {}

export * from "./Access.ts"
export * from "./ApiKeys.ts"
export * from "./AuditLog.ts"
export * from "./Catalogue.ts"
export * from "./Deliveries.ts"
export * from "./EventTypes.ts"
export * from "./Invitations.ts"
export * from "./Members.ts"
export * from "./Overview.ts"
export * from "./PasswordResets.ts"
export * from "./Sessions.ts"
export * from "./SignUps.ts"
export * from "./WebhookEndpoints.ts"

export type { Errors }
