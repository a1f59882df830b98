/** Who did what in each account. */
import type { AuditEntry, Id, Page } from "@tc/domain"
import { Context, type Effect } from "effect"

/** Which entries to list. */
export interface ListRequest extends Pick<Page.Request, "page" | "per_page"> {
  readonly action?: AuditEntry.Action
  readonly member_id?: Id.MemberId
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Keeps an entry about what changes nothing here. */
    readonly append: (entry: AuditEntry.AuditEntry) => Effect.Effect<void>
    /**
     * Makes a change in this storage, and keeps the entry that tells of what came of it: both or neither, also where the process
     * ends in between. `change` does nothing that takes long, for all that it holds is held to its end; where it fails, or `tell`
     * has nothing to say (null), nothing is kept of it.
     */
    readonly noted: <A, E, R>(
      change: Effect.Effect<A, E, R>,
      tell: (answer: A) => AuditEntry.AuditEntry | null,
    ) => Effect.Effect<A, E, R>
    /** Newest first, with the exact total. */
    readonly list: (account_id: Id.AccountId, request: ListRequest) => Effect.Effect<Page.Page<AuditEntry.AuditEntry>>
    /** Removes entries that were made before then. Answers how many. */
    readonly prune: (before: string) => Effect.Effect<number>
  }
>()("@tc/store/AuditLog") {}
