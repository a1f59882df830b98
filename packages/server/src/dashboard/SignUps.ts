/** Becoming a member: with the link of an invitation, or the first of all with the token from the server's log. */
import { Dashboard } from "@tc/api"
import { Account, Errors, Id, Value } from "@tc/domain"
import { Accounts, Invitations, Members } from "@tc/store"
import { Session } from "@tc/domain"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { newId } from "../http/Incoming.ts"
import * as Responses from "../http/Responses.ts"
import { Passwords } from "../Passwords.ts"
import * as Audit from "./Audit.ts"
import * as SigningIn from "./SigningIn.ts"
import * as Tries from "./Tries.ts"

const noInvitation = new Errors.NotFound({
  message: "This link or token does not work: it was used, revoked, or has expired. Ask for a new one.",
})

/** Whether nobody is a member of the account that the first start makes. */
export const isFirst = Effect.gen(function* () {
  const accounts = yield* Accounts
  const members = yield* Members
  return yield* accounts.getByName(Account.DEFAULT_NAME).pipe(
    Effect.flatMap(({ id }) => members.list(id)),
    Effect.map(({ length }) => length === 0),
    Effect.catchTag("NotFound", () => Effect.succeed(true)),
  )
})

const find = Effect.fnUntraced(function* (token: string) {
  yield* Tries.count(null)
  const now = Value.timestamp(yield* Clock.currentTimeMillis)
  const found = yield* (yield* Invitations).find(Session.hash(token), now)
  return found ?? (yield* noInvitation)
})

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "sign_ups",
  Effect.fnUntraced(function* (group) {
    const invitations = yield* Invitations
    const passwords = yield* Passwords
    return group.handleAll({
      state: () => Effect.map(isFirst, (first) => Responses.json({ first })),
      preview: ({ payload }) =>
        Effect.map(find(payload.token), ({ account: { id, name }, invitation: { role, email, expires_at } }) =>
          Responses.json({ account: { id, name }, role, email, expires_at }),
        ),
      create: Effect.fnUntraced(function* ({ payload: { token, email, name, password } }) {
        const { invitation, account } = yield* find(token)
        if (invitation.email !== null && invitation.email !== email) {
          return yield* Errors.invalid([{ path: "/email", message: "is not the one that was invited" }])
        }
        const password_hash = yield* passwords.hash(password)
        const millis = yield* Clock.currentTimeMillis
        const now = Value.timestamp(millis)
        const id = Id.MemberId.id.make(newId(millis))
        const made = { id, email, name, password_hash, last_seen_at: null, created_at: now, updated_at: now }
        const accept = invitations.accept(Session.hash(token), made)
        const joining = { id, email, account_id: account.id }
        const member = yield* Audit.changedBy(joining, "member.joined", accept, () => account)
        return (yield* SigningIn.begin(member, password_hash)) ?? (yield* noInvitation)
      }),
    })
  }),
)
