/** Notes who did what. */
import { Dashboard } from "@tc/api"
import { type AuditEntry, Id, type Member, Value } from "@tc/domain"
import { AuditLog } from "@tc/store"
import { Clock, Effect } from "effect"
import { newId } from "../http/Incoming.ts"

/** What something was done to. */
export interface Subject {
  readonly id: string
  readonly name: string
}

type Who = Pick<Member.Member, "id" | "account_id" | "email">

/** Notes what a member did, for whom there is no session yet. */
export const noteOf = Effect.fnUntraced(function* (member: Who, action: AuditEntry.Action, subject: Subject | null) {
  const millis = yield* Clock.currentTimeMillis
  const log = yield* AuditLog
  yield* log.append({
    id: Id.AuditEntryId.id.make(newId(millis)),
    account_id: member.account_id,
    action,
    member_id: member.id,
    email: member.email,
    subject_id: subject?.id ?? null,
    subject: subject?.name ?? null,
    created_at: Value.timestamp(millis),
  })
})

/** Notes what the member did whose request it is. */
export const note = (action: AuditEntry.Action, subject: Subject | null) =>
  Effect.flatMap(Dashboard.CurrentSession, ({ member }) => noteOf(member, action, subject))
