/** How the first member comes in: as the operator says, or with a token that is printed this once. */
import { Account, Id, Invitation, Member, Session, Value } from "@tc/domain"
import { Accounts, Invitations, Members } from "@tc/store"
import { Clock, Effect, type Redacted } from "effect"
import { Redacted as Secret } from "effect"
import { newId } from "../http/Incoming.ts"
import { Passwords } from "../Passwords.ts"
import * as SignUps from "./SignUps.ts"
import * as SigningIn from "./SigningIn.ts"

/** A person who is to be there from the start. */
export interface Admin {
  readonly email: string
  readonly password: Redacted.Redacted
}

/** Makes the operator's person an owner, unless there is one with that address: that one keeps role and password. */
const ensure = Effect.fnUntraced(function* (account_id: Id.AccountId, { email, password }: Admin) {
  const members = yield* Members
  if ((yield* members.list(account_id)).some((member) => member.email === email)) return null
  const millis = yield* Clock.currentTimeMillis
  const now = Value.timestamp(millis)
  const password_hash = yield* Effect.orDie((yield* Passwords).hash(Secret.value(password)))
  const id = Id.MemberId.id.make(newId(millis))
  const times = { last_seen_at: null, created_at: now, updated_at: now }
  const owner: Member.Row = { id, account_id, email, name: email, role: "owner", password_hash, ...times }
  // Another process may have been quicker.
  yield* Effect.ignore(members.create(owner))
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
  const token = SigningIn.newToken()
  const millis = yield* Clock.currentTimeMillis
  yield* (yield* Invitations).create({
    id: Id.InvitationId.id.make(newId(millis)),
    account_id,
    role: "owner",
    email: null,
    invited_by: null,
    token_hash: Session.hash(token),
    expires_at: Value.timestamp(millis + Invitation.LASTS_MS),
    created_at: Value.timestamp(millis),
  })
  return token
})
