/** Storage in PostgreSQL 14 and newer, over whatever `SqlClient` the program brings. */
import { WebhookEndpoint, type Resource } from "@tc/domain"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Repositories from "../Repositories.ts"
import type { Repository as Contract } from "../Repository.ts"
import * as Accounts from "./Accounts.ts"
import * as ApiKeys from "./ApiKeys.ts"
import * as AuditLog from "./AuditLog.ts"
import * as Canceling from "./Canceling.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Events from "./Events.ts"
import * as FormerSettings from "./FormerSettings.ts"
import * as Invitations from "./Invitations.ts"
import * as Members from "./Members.ts"
import * as Migrations from "./Migrations.ts"
import { Notices } from "./Notices.ts"
import { Outbox } from "./Outbox.ts"
import * as Repository from "./Repository.ts"
import * as Recoveries from "./Recoveries.ts"
import * as Retention from "./Retention.ts"
import * as Sessions from "./Sessions.ts"
import * as Storage from "./Storage.ts"
import * as Tallies from "./Tallies.ts"
import * as Throttles from "./Throttles.ts"

/** Brings the schema forward: needs a `SqlClient`; answers the names of the migrations it ran. */
export const migrate = Migrations.run

const following = Effect.map(
  Effect.all([FormerSettings.make, Canceling.make]),
  ([keep, cancel]): Repository.Follow<typeof WebhookEndpoint.resource> =>
    (...change) =>
      Effect.andThen(keep(...change), cancel(...change)),
)

/** Endpoints are like any resource, but that a change of theirs may cancel deliveries, and what they were is kept. */
const backend = <R extends Resource.Any>(
  resource: R,
  begun?: Repositories.Begun<R>,
): Effect.Effect<Contract<R>, never, SqlClient.SqlClient | Outbox | Notices> =>
  resource.name === WebhookEndpoint.resource.name
    ? Effect.flatMap(
        following,
        // The comparison above has shown what R is; TypeScript cannot follow it.
        (follow) =>
          Repository.make(resource, begun, follow as unknown as Repository.Follow<R>) as Effect.Effect<Contract<R>>,
      )
    : Repository.make(resource, begun)

/** Every service of the storage, over a database whose schema is up to date. */
export const layerPostgres = Layer.mergeAll(
  Repositories.layer(backend).pipe(Layer.provide(Outbox.layer)),
  Deliveries.layer,
  Events.layer,
  Recoveries.layer,
  Retention.layer,
  ApiKeys.layer,
  Accounts.layer,
  Members.layer,
  Sessions.layer,
  Invitations.layer,
  AuditLog.layer,
  Throttles.layer,
  Tallies.layer,
  Storage.layer,
)
