/** Notes who did what, together with what they did. */
import { Dashboard, type Errors } from "@tc/api"
import { type AuditEntry, Id, type Member, Value } from "@tc/domain"
import { AuditLog, Members } from "@tc/store"
import { Clock, Effect } from "effect"
import { newId } from "../http/Incoming.ts"
import * as Access from "./Access.ts"

/** What something was done to. */
export interface Subject {
  readonly id: string
  readonly name: string
}

/** Who did it, in which account. */
type Who = Pick<AuditEntry.AuditEntry, "account_id" | "member_id" | "email">

/** How to make the entry of something that is done now. */
const entering = (who: Who, action: AuditEntry.Action) =>
  Effect.map(Clock.currentTimeMillis, (millis) => (subject: Subject | null): AuditEntry.AuditEntry => ({
    ...who,
    id: Id.AuditEntryId.id.make(newId(millis)),
    action,
    subject_id: subject?.id ?? null,
    subject: subject?.name ?? null,
    created_at: Value.timestamp(millis),
  }))

const whoIs = ({ account_id, id: member_id, email }: Pick<Member.Member, "id" | "account_id" | "email">): Who => ({
  account_id,
  member_id,
  email,
})

/** The server itself, or nobody knows who. */
const nobody = (account_id: Id.AccountId): Who => ({ account_id, member_id: null, email: null })

const current = Effect.map(Dashboard.CurrentSession, ({ member }) => member)

const made = Effect.fnUntraced(function* <A, E, R>(
  who: Who,
  action: AuditEntry.Action,
  change: Effect.Effect<A, E, R>,
  subject: (answer: A) => Subject | null | undefined,
) {
  const enter = yield* entering(who, action)
  return yield* (yield* AuditLog).noted(change, (answer) => {
    const found = subject(answer)
    return found === undefined ? null : enter(found)
  })
})

/**
 * Makes a change of a member for whom there is no session yet, and notes it: both or neither. `subject` says to what it was done,
 * given what the change answers; undefined where nothing was done.
 */
export const changedBy = <A, E, R>(
  member: Pick<Member.Member, "id" | "account_id" | "email">,
  action: AuditEntry.Action,
  change: Effect.Effect<A, E, R>,
  subject: (answer: A) => Subject | null | undefined,
) => made(whoIs(member), action, change, subject)

/** Makes a change of the server itself in an account, and notes it: both or neither. */
export const changedIn = <A, E, R>(
  account_id: Id.AccountId,
  action: AuditEntry.Action,
  change: Effect.Effect<A, E, R>,
  subject: (answer: A) => Subject,
) => made(nobody(account_id), action, change, subject)

/** Makes a change of the member whose request it is, and notes it: both or neither. */
export const changed = <A, E, R>(
  action: AuditEntry.Action,
  change: Effect.Effect<A, E, R>,
  subject: (answer: A) => Subject | null,
) => Effect.flatMap(current, (member) => changedBy(member, action, change, subject))

/** Fails for who was an owner when the request came, and is none any more. Who is one stays one until the change is done. */
const stillOwner = Effect.gen(function* () {
  const { account_id, member } = yield* Dashboard.CurrentSession
  const role = yield* (yield* Members).roleOf(account_id, member.id)
  if (role !== "owner") return yield* Access.insufficient("owner")
})

/** The same for what owners alone may do: who asks for it many times at once would else do it after the end of their role. */
export const changedByOwner = <A, E, R>(
  action: AuditEntry.Action,
  change: Effect.Effect<A, E, R>,
  subject: (answer: A) => Subject | null,
): Effect.Effect<A, E | Errors.NotAllowed, R | AuditLog | Dashboard.CurrentSession | Members> =>
  changed(action, Effect.andThen(stillOwner, change), subject)

const append = (who: Who, action: AuditEntry.Action, subject: Subject) =>
  Effect.flatMap(entering(who, action), (enter) => Effect.flatMap(AuditLog, (log) => log.append(enter(subject))))

/** Notes what the member did whose request it is, and that changes nothing. */
export const note = (action: AuditEntry.Action, subject: Subject) =>
  Effect.flatMap(current, (member) => append(whoIs(member), action, subject))

/** Notes what was done in an account by nobody knows whom. */
export const noteIn = (account_id: Id.AccountId, action: AuditEntry.Action, subject: Subject) =>
  append(nobody(account_id), action, subject)
