/** Who is signed in: by what is kept of a token, never the token. */
import type { Id, Member, Session } from "@tc/domain"
import { Context, type Effect } from "effect"

/** A session with the member whose it is, as they are now. */
export interface Found {
  readonly session: Session.Session
  readonly member: Member.Member
}

/** When a session was last used. */
export interface Seen {
  readonly account_id: Id.AccountId
  readonly id: Id.SessionId
  readonly last_seen_at: string
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Keeps a session of who has given the password with this hash, and notes that they were seen. Not where they were removed
     * meanwhile, or have changed it. Where they have more than a member may then, the oldest end. Answers whether it is kept.
     */
    readonly create: (session: Session.Session, password_hash: string) => Effect.Effect<boolean>
    /** The session of a token with this hash, whether or not its time is over; null when there is none. */
    readonly find: (token_hash: string) => Effect.Effect<Found | null>
    /** Records when it was used, and its member seen; an older time than the one kept changes nothing, nor does a session that has ended. */
    readonly touch: (seen: Seen) => Effect.Effect<void>
    /** Ends a session. A second time it changes nothing. */
    readonly end: (account_id: Id.AccountId, id: Id.SessionId) => Effect.Effect<void>
    /** Removes sessions that were created, or last seen, before these times. Answers how many. */
    readonly prune: (before: { readonly created_at: string; readonly last_seen_at: string }) => Effect.Effect<number>
  }
>()("@tc/store/Sessions") {}
