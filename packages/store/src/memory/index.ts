/** Storage in memory, for tests, for trying things out, and for one process that may forget. */
import { type Resource, WebhookEndpoint } from "@tc/domain"
import { Layer } from "effect"
import * as Repositories from "../Repositories.ts"
import * as Accounts from "./Accounts.ts"
import * as ApiKeys from "./ApiKeys.ts"
import * as AuditLog from "./AuditLog.ts"
import * as Canceling from "./Canceling.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Events from "./Events.ts"
import * as FormerSettings from "./FormerSettings.ts"
import * as Invitations from "./Invitations.ts"
import * as Members from "./Members.ts"
import { Memory } from "./Memory.ts"
import * as Repository from "./Repository.ts"
import * as Recoveries from "./Recoveries.ts"
import * as Retention from "./Retention.ts"
import * as Sessions from "./Sessions.ts"
import * as Storage from "./Storage.ts"
import * as Tallies from "./Tallies.ts"
import * as Throttles from "./Throttles.ts"

const follow: Repository.Follow<typeof WebhookEndpoint.resource> = (...change) => {
  FormerSettings.follow(...change)
  Canceling.follow(...change)
}

/** Endpoints are like any resource, but that a change of theirs may cancel deliveries, and what they were is kept. */
const backend = <R extends Resource.Any>(resource: R, begun?: Repositories.Begun<R>) =>
  resource.name === WebhookEndpoint.resource.name
    ? // The comparison has shown what R is; TypeScript cannot follow it.
      Repository.make(resource, begun, follow as unknown as Repository.Follow<R>)
    : Repository.make(resource, begun)

/** Every service of the storage, empty each time it is built. */
export const layerMemory = Layer.mergeAll(
  Repositories.layer(backend),
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
).pipe(Layer.provide(Memory.layer))
