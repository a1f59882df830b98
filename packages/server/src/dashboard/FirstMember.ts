/** How the first member comes in: as the operator says, or with a token that is printed this once. */
import { Account, Id, Session, Value } from "@tc/domain"
import { Accounts, Invitations, Members } from "@tc/store"
import { Clock, Effect, Redacted } from "effect"
import { newId } from "../http/Incoming.ts"
import { Passwords } from "../Passwords.ts"
import * as NewInvitation from "./NewInvitation.ts"
import * as SignUps from "./SignUps.ts"

/** A person who is to be there from the start. */
export interface Admin {
  readonly email: string
  readonly password: Redacted.Redacted
}

/**
 * Makes the operator's person the first member, in the way that every first member comes in: so that of several processes one
 * does, and nobody whom the others have removed since comes back with the next start.
 */
const ensure = Effect.fnUntraced(function* (account_id: Id.AccountId, { email, password }: Admin) {
  const members = yield* (yield* Members).list(account_id)
  if (members.length > 0) {
    const isThere = members.some((member) => member.email === email)
    if (!isThere)
      yield* Effect.logWarning(`TC_ADMIN_EMAIL makes nobody a member: the account has members, and no ${email}.`)
    return null
  }
  const password_hash = yield* Effect.orDie((yield* Passwords).hash(Redacted.value(password)))
  const token = yield* invite(account_id)
  const millis = yield* Clock.currentTimeMillis
  const now = Value.timestamp(millis)
  const id = Id.MemberId.id.make(newId(millis))
  const owner = { id, email, name: email, password_hash, last_seen_at: null, created_at: now, updated_at: now }
  // Another process may have been quicker.
  yield* Effect.ignore((yield* Invitations).accept(Session.hash(token), owner))
  return null
})

/**
 * Sees to it that somebody can sign in to the account `default`. Answers the token with which the first member signs up, where
 * there is none yet and the operator names nobody; every start makes one, and they all work until the first is used.
 */
export const run = Effect.fnUntraced(function* (admin: Admin | null) {
  const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
  if (admin !== null) return yield* ensure(account_id, admin)
  if (!(yield* SignUps.isFirst)) return null
  return yield* invite(account_id)
})

/** Lets an owner into an account that has no member. Answers the token. */
export const invite = Effect.fnUntraced(function* (account_id: Id.AccountId) {
  const request = { account_id, role: "owner", email: null, invited_by: null } as const
  const { token, row } = NewInvitation.make(request, yield* Clock.currentTimeMillis)
  // What the server makes is never one too many.
  yield* Effect.orDie((yield* Invitations).create(row))
  return token
})
