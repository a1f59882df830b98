/** Storage of the customization service: what it promises, and the implementations that come with it. */
export { Accounts } from "./Accounts.ts"
export { ApiKeys, type Use } from "./ApiKeys.ts"
export { AuditLog, type ListRequest as AuditListRequest } from "./AuditLog.ts"
export {
  type Claim,
  type ClaimRequest,
  Deliveries,
  type Endpoint,
  type Job,
  type ListRequest as DeliveryListRequest,
  type Outcome,
  type Probe,
  type ProbeRequest,
  type Released,
  type Settlement,
  type Stats,
  type Streak,
  type Written,
} from "./Deliveries.ts"
export type { EndpointSettings, SentWith } from "./EndpointSettings.ts"
export { Events, type ListRequest as EventListRequest } from "./Events.ts"
export { Handoff, type Lease, type Receiver } from "./Handoff.ts"
export { type Found as FoundInvitation, Invitations } from "./Invitations.ts"
export { Members } from "./Members.ts"
export { type Backend, layer as layerRepositories, resources } from "./Repositories.ts"
export {
  Assets,
  Designs,
  type ListRequest,
  PrintAreas,
  Products,
  type Repository,
  Stores,
  Templates,
  WebhookEndpoints,
} from "./Repository.ts"
export { type AdvanceRequest, type Claimed, Recoveries, type Wanted } from "./Recoveries.ts"
export { type Place, type Pruned, type PruneRequest, Retention } from "./Retention.ts"
export { type Found as FoundSession, type Seen, Sessions } from "./Sessions.ts"
export type { Services } from "./Services.ts"
export { Storage, Unavailable } from "./Storage.ts"
export {
  type Activity,
  beginningOf,
  type Counted,
  HOUR_MS,
  MINUTE_MS,
  type OfEndpoint,
  type Step,
  Tallies,
  type Troubled,
} from "./Tallies.ts"
export { type Limit, Throttles } from "./Throttles.ts"
export { layerMemory } from "./memory/index.ts"
export { layerPostgres, migrate } from "./postgres/index.ts"
export * as Notices from "./postgres/Notices.ts"
