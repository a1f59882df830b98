/** Links that let people into an account, by what is kept of their tokens. */
import type { Account, Errors, Id, Invitation, Member } from "@tc/domain"
import { Context, type Effect } from "effect"

/** An invitation with the account it leads into. */
export interface Found {
  readonly invitation: Invitation.Invitation
  readonly account: Account.Account
}

export class Invitations extends Context.Service<
  Invitations,
  {
    /**
     * Fails with `Conflict` `too_many_invitations` where as many as an account may have can be accepted, however many are made at
     * once. Those that the server makes neither count nor are refused.
     */
    readonly create: (invitation: Invitation.Row) => Effect.Effect<Invitation.Invitation, Errors.Conflict>
    /** Newest first; those whose time is over at `now` are left out, and those that the server made. */
    readonly list: (account_id: Id.AccountId, now: string) => Effect.Effect<ReadonlyArray<Invitation.Invitation>>
    /**
     * The invitation that can be accepted with a token of this hash at `now`; null when there is none, its time is over, or it
     * was made by the server and the account has a member.
     */
    readonly find: (token_hash: string, now: string) => Effect.Effect<Found | null>
    /**
     * Accepts it, in one step: the member is created with its account and role, and the invitation removed. Of many at once, one
     * succeeds. Fails with `NotFound` where `find` finds none, and with `Conflict` `email_taken` as `Members.create`, which
     * leaves the invitation as it was.
     */
    readonly accept: (
      token_hash: string,
      member: Omit<Member.Row, "account_id" | "role">,
    ) => Effect.Effect<Member.Member, Errors.NotFound | Errors.Conflict>
    /** Removes those whose time was over then. Answers how many. */
    readonly prune: (before: string) => Effect.Effect<number>
    readonly revoke: (account_id: Id.AccountId, id: Id.InvitationId) => Effect.Effect<void, Errors.NotFound>
  }
>()("@tc/store/Invitations") {}
