/** All that a storage provides. */
import type { Accounts } from "./Accounts.ts"
import type { ApiKeys } from "./ApiKeys.ts"
import type { AuditLog } from "./AuditLog.ts"
import type { Deliveries } from "./Deliveries.ts"
import type { Events } from "./Events.ts"
import type { Invitations } from "./Invitations.ts"
import type { Members } from "./Members.ts"
import type { Assets, Designs, PrintAreas, Products, Stores, Templates, WebhookEndpoints } from "./Repository.ts"
import type { Recoveries } from "./Recoveries.ts"
import type { Retention } from "./Retention.ts"
import type { Sessions } from "./Sessions.ts"
import type { Storage } from "./Storage.ts"
import type { Tallies } from "./Tallies.ts"
import type { Throttles } from "./Throttles.ts"

/** The repositories, one of each resource. */
export type Repositories = Stores | Products | PrintAreas | Templates | Designs | Assets | WebhookEndpoints

/** Who may use the dashboard, and what they did there. */
export type People = Members | Sessions | Invitations | AuditLog | Throttles

/** Every service of a storage. */
export type Services =
  | Repositories
  | Deliveries
  | Events
  | Recoveries
  | Retention
  | ApiKeys
  | Accounts
  | People
  | Tallies
  | Storage
