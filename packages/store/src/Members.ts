/** The people of each account. */
import type { Errors, Id, Member } from "@tc/domain"
import { Context, type Effect } from "effect"

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
    /** Fails with `Conflict` `last_owner` where no owner would be left; so does `remove`. Both hold, however many are asked at once. */
    readonly setRole: (
      account_id: Id.AccountId,
      id: Id.MemberId,
      role: Member.Role,
    ) => Effect.Effect<Member.Member, Errors.NotFound | Errors.Conflict>
    /** Removes a member with all their sessions. The invitations of who is no owner any more, either way, are revoked. */
    readonly remove: (
      account_id: Id.AccountId,
      id: Id.MemberId,
    ) => Effect.Effect<void, Errors.NotFound | Errors.Conflict>
    /** Replaces the hash of a password, and ends all sessions of the member but one (null: all), in one step. */
    readonly setPassword: (
      account_id: Id.AccountId,
      id: Id.MemberId,
      password_hash: string,
      keep: Id.SessionId | null,
    ) => Effect.Effect<void, Errors.NotFound>
  }
>()("@tc/store/Members") {}
