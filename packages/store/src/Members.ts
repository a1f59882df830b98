/** The people of each account. */
import type { Errors, Id, Member } from "@tc/domain"
import { Context, type Effect } from "effect"

/** What is kept of a token with which a member chooses another password. */
export interface Reset {
  readonly token_hash: string
  readonly expires_at: string
}

export class Members extends Context.Service<
  Members,
  {
    /** Fails with `Conflict` `email_taken` when the account has a member with this address. */
    readonly create: (member: Member.Row) => Effect.Effect<Member.Member, Errors.Conflict>
    /** All members with an address, of any account, the oldest first. */
    readonly findByEmail: (email: string) => Effect.Effect<ReadonlyArray<Member.Row>>
    /** Oldest first. `last_seen_at` is the latest that any session of theirs was, also one that has ended; null before the first. */
    readonly list: (account_id: Id.AccountId) => Effect.Effect<ReadonlyArray<Member.Member>>
    readonly get: (account_id: Id.AccountId, id: Id.MemberId) => Effect.Effect<Member.Row, Errors.NotFound>
    /**
     * The role of a member; null where there is none. Within `AuditLog.noted` no role changes in the account, and nobody is removed,
     * before the change is done that it is asked for.
     */
    readonly roleOf: (account_id: Id.AccountId, id: Id.MemberId) => Effect.Effect<Member.Role | null>
    /** Fails with `Conflict` `last_owner` where no owner would be left; so does `remove`. Both hold, however many are asked at once. */
    readonly setRole: (
      account_id: Id.AccountId,
      id: Id.MemberId,
      role: Member.Role,
    ) => Effect.Effect<Member.Member, Errors.NotFound | Errors.Conflict>
    /**
     * Removes a member with all their sessions. The invitations of who is no owner any more, either way, are revoked, and every
     * token for another password of a member of the account ends, for they may know it.
     */
    readonly remove: (
      account_id: Id.AccountId,
      id: Id.MemberId,
    ) => Effect.Effect<void, Errors.NotFound | Errors.Conflict>
    /** Has a token with this hash be good for another password until then, instead of any before it. */
    readonly offerReset: (
      account_id: Id.AccountId,
      id: Id.MemberId,
      reset: Reset,
    ) => Effect.Effect<Member.Member, Errors.NotFound>
    /** The member for whom a token of this hash is good at `now`; null where there is none. */
    readonly findByReset: (token_hash: string, now: string) => Effect.Effect<Member.Member | null>
    /**
     * Replaces the hash of the password of the member for whom a token is good, and ends all their sessions and the token, in one
     * step. Fails with `NotFound` where `findByReset` finds none; of many at once, one succeeds.
     */
    readonly reset: (token_hash: string, password_hash: string) => Effect.Effect<Member.Member, Errors.NotFound>
    /**
     * Replaces the hash of a password, which ends a token for another one as well, and ends all sessions of the member but one
     * (null: all), in one step. Fails with `NotFound` where it is not `from` any more, too.
     */
    readonly setPassword: (
      account_id: Id.AccountId,
      id: Id.MemberId,
      password_hash: { readonly from: string; readonly to: string },
      keep: Id.SessionId | null,
    ) => Effect.Effect<void, Errors.NotFound>
  }
>()("@tc/store/Members") {}
