/** The dashboard's API as one layer. */
import { Dashboard } from "@tc/api"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Edge from "../http/Edge.ts"
import * as Failures from "../http/Failures.ts"
import * as Access from "./Access.ts"
import * as ApiKeys from "./ApiKeys.ts"
import * as AuditLog from "./AuditLog.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Deliveries from "./Deliveries.ts"
import * as EventTypes from "./EventTypes.ts"
import * as Invitations from "./Invitations.ts"
import * as Members from "./Members.ts"
import * as Overview from "./Overview.ts"
import * as PasswordResets from "./PasswordResets.ts"
import * as Pruning from "./Pruning.ts"
import * as Sessions from "./Sessions.ts"
import * as SignUps from "./SignUps.ts"
import * as WebhookEndpoints from "./WebhookEndpoints.ts"

/**
 * Every route of the dashboard's API: it needs the services of a storage and `Passwords`; `DashboardSettings` has defaults.
 * Serve it beside the routes of `Http`.
 */
export const layer = HttpApiBuilder.layer(Dashboard.Dashboard).pipe(
  Layer.provide(
    Layer.mergeAll(
      SignUps.layer,
      PasswordResets.layer,
      Sessions.layer,
      Members.layer,
      Invitations.layer,
      AuditLog.layer,
      ApiKeys.layer,
      WebhookEndpoints.layer,
      Deliveries.layer,
      EventTypes.layer,
      Overview.layer,
      Catalogue.layer,
    ),
  ),
  Layer.provide(Layer.merge(Access.layer, Failures.layer)),
  Layer.provide(Edge.layer),
  Layer.merge(Pruning.layer),
)
