/** How people come into an account: a link with a token that works once. */
import { Schema } from "effect"
import * as Id from "./Id.ts"
import * as Member from "./Member.ts"
import * as Value from "./Value.ts"

/** Milliseconds for which an invitation can be accepted. */
export const LASTS_MS = 7 * 86_400_000

/** An invitation as owners see it: never its token. */
export const Invitation = Schema.Struct({
  id: Id.InvitationId.id,
  account_id: Id.AccountId.id,
  role: Member.Role,
  /** Who it is for; whoever has the link where it names nobody. */
  email: Schema.NullOr(Member.Email),
  /** The owner who invites; null for the first of all, which the server makes and which works while there are no members. */
  invited_by: Schema.NullOr(Id.MemberId.id),
  expires_at: Value.Timestamp,
  created_at: Value.Timestamp,
}).annotate({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

/** An invitation as kept: with the hash of its token, as `Session.hash` makes it. It is removed once it is accepted or revoked. */
export const Row = Schema.Struct({ ...Invitation.fields, token_hash: Schema.String })
export type Row = typeof Row.Type
