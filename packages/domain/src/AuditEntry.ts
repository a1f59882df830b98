/** Who did what in an account: one entry for each change that a person makes in the dashboard, and some for those kept out. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Member from "./Member.ts"
import * as Value from "./Value.ts"

/** Milliseconds for which an entry is kept: a year, and some time to look back on it. */
export const LASTS_MS = 400 * 86_400_000

/** What was done, and to what. */
export const Action = Schema.Literals([
  "session.created",
  "session.refused",
  "session.throttled",
  "password.changed",
  "password.reset_offered",
  "password.reset",
  "member.invited",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "invitation.revoked",
  "api_key.created",
  "api_key.rotated",
  "api_key.revoked",
  "webhook_endpoint.created",
  "webhook_endpoint.updated",
  "webhook_endpoint.enabled",
  "webhook_endpoint.disabled",
  "webhook_endpoint.deleted",
  "webhook_endpoint.tested",
  "webhook_endpoint.recovered",
  "secret.revealed",
  "secret.rotated",
  "delivery.retried",
])
export type Action = typeof Action.Type

export const AuditEntry = Schema.Struct({
  id: Id.AuditEntryId.id,
  account_id: Id.AccountId.id,
  action: Action,
  /** Who did it, with the address they had then; null for the server itself, and for who was refused to sign in. */
  member_id: Schema.NullOr(Id.MemberId.id),
  email: Schema.NullOr(Member.Email),
  /** The id and the name of what it was done to. */
  subject_id: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  created_at: Value.Timestamp,
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type
