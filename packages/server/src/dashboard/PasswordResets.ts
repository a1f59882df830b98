/** Links with which members choose another password, without the one that they have lost. */
import { Dashboard, Errors as Wire } from "@tc/api"
import { Errors, type Id, Member, Session, Value } from "@tc/domain"
import { Accounts, Members } from "@tc/store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import { Passwords } from "../Passwords.ts"
import * as Audit from "./Audit.ts"
import * as SigningIn from "./SigningIn.ts"
import * as Tries from "./Tries.ts"

const noLink = new Errors.NotFound({
  message: "This link does not work: it was used, another was made after it, or its time is over. Ask for a new one.",
})

/** Removed, or given another password, in the moment between. */
const gone = new Wire.NotSignedIn({ code: "not_signed_in", message: "Sign in with the new password." })

/** Makes a link for a member: its token, and the change that keeps it. Whoever has the token may choose their password. */
export const offer = (account_id: Id.AccountId, id: Id.MemberId) =>
  Effect.gen(function* () {
    const token = SigningIn.newToken()
    const expires_at = Value.timestamp((yield* Clock.currentTimeMillis) + Member.RESET_LASTS_MS)
    const reset = { token_hash: Session.hash(token), expires_at }
    const member = yield* (yield* Members).offerReset(account_id, id, reset)
    return { member, offered: { token, expires_at } }
  })

/** What is noted of it. */
export const subject = ({ member: { id, email } }: Effect.Success<ReturnType<typeof offer>>) => ({ id, name: email })

const find = Effect.fnUntraced(function* (token: string) {
  yield* Tries.count(null)
  const now = Value.timestamp(yield* Clock.currentTimeMillis)
  return (yield* (yield* Members).findByReset(Session.hash(token), now)) ?? (yield* noLink)
})

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "password_resets",
  Effect.fnUntraced(function* (group) {
    const members = yield* Members
    const accounts = yield* Accounts
    const passwords = yield* Passwords
    return group.handleAll({
      preview: Effect.fnUntraced(function* ({ payload: { token } }) {
        const { account_id, email, name } = yield* find(token)
        const account = yield* Effect.orDie(accounts.get(account_id))
        return Responses.json({ account: { id: account.id, name: account.name }, email, name })
      }),
      create: Effect.fnUntraced(function* ({ payload: { token, password } }) {
        const found = yield* find(token)
        const hash = yield* passwords.hash(password)
        const reset = members.reset(Session.hash(token), hash)
        const member = yield* Audit.changedBy(found, "password.reset", reset, () => null)
        return (yield* SigningIn.begin(member, hash)) ?? (yield* gone)
      }),
    })
  }),
)
