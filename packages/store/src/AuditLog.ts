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
    readonly append: (entry: AuditEntry.AuditEntry) => Effect.Effect<void>
    /** Newest first, with the exact total. */
    readonly list: (account_id: Id.AccountId, request: ListRequest) => Effect.Effect<Page.Page<AuditEntry.AuditEntry>>
  }
>()("@tc/store/AuditLog") {}
