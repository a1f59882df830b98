/** Signing in and out, and changing one's password. */
import { Dashboard, Errors as Wire } from "@tc/api"
import { Errors, type Member } from "@tc/domain"
import { Accounts, Members, Sessions } from "@tc/store"
import { Effect, Struct } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Responses from "../http/Responses.ts"
import { Passwords } from "../Passwords.ts"
import * as Audit from "./Audit.ts"
import * as Cookie from "./Cookie.ts"
import { DashboardSettings } from "./DashboardSettings.ts"
import * as SigningIn from "./SigningIn.ts"
import * as Tries from "./Tries.ts"

/** The same for an address that nobody has and for a wrong password: neither is told from the other. */
const wrong = new Wire.NotSignedIn({
  code: "wrong_credentials",
  message: "The e-mail address or the password is not right.",
})

/** The member was removed meanwhile. */
const gone = Effect.fail(new Wire.NotSignedIn({ code: "not_signed_in", message: "There is no such member any more." }))

/** The one member whom an address names: of several accounts in the one of that name, else in the first that they joined. */
const whom = Effect.fnUntraced(function* (email: string, account: string | null) {
  const candidates = yield* (yield* Members).findByEmail(email)
  if (account === null) return candidates[0]
  const named = yield* (yield* Accounts)
    .getByName(account)
    .pipe(Effect.catchTag("NotFound", () => Effect.succeed(null)))
  return candidates.find(({ account_id }) => account_id === named?.id)
})

const shown = (row: Member.Row): Member.Member => Struct.omit(row, ["password_hash"])

export const layer = HttpApiBuilder.group(
  Dashboard.Dashboard,
  "session",
  Effect.fnUntraced(function* (group) {
    const members = yield* Members
    const sessions = yield* Sessions
    const passwords = yield* Passwords
    const settings = yield* DashboardSettings
    /** Verified against where there is nobody, so that the time taken does not tell. */
    const nobody = yield* Effect.orDie(passwords.hash(SigningIn.newToken()))
    return group.handleAll({
      get: () =>
        Effect.flatMap(Dashboard.CurrentSession, ({ member, expires_at }) =>
          Effect.map(SigningIn.signedIn(member, expires_at), (body) => Responses.json(body)),
        ),
      create: Effect.fnUntraced(function* ({ payload: { email, password, account = null } }) {
        yield* Tries.count(email)
        const row = yield* whom(email, account)
        const isRight = yield* passwords.verify(password, row?.password_hash ?? nobody)
        if (row === undefined || !isRight) return yield* wrong
        const response = yield* SigningIn.begin(shown(row), row.password_hash)
        if (response === null) return yield* wrong
        yield* Audit.noteOf(row, "session.created", null)
        return response
      }),
      delete: Effect.fnUntraced(function* () {
        const { account_id, session_id } = yield* Dashboard.CurrentSession
        yield* sessions.end(account_id, session_id)
        return yield* Cookie.clear(Responses.noContent, yield* HttpServerRequest.HttpServerRequest, settings)
      }),
      change_password: Effect.fnUntraced(function* ({ payload }) {
        const { account_id, member, session_id } = yield* Dashboard.CurrentSession
        yield* Tries.count(member.id)
        const row = yield* members.get(account_id, member.id).pipe(Effect.catchTag("NotFound", () => gone))
        if (!(yield* passwords.verify(payload.current, row.password_hash))) {
          return yield* Errors.invalid([{ path: "/current", message: "is not the present password" }])
        }
        const hash = yield* passwords.hash(payload.password)
        yield* members
          .setPassword(account_id, member.id, hash, session_id)
          .pipe(Effect.catchTag("NotFound", () => gone))
        yield* Audit.note("password.changed", null)
        return Responses.noContent
      }),
    })
  }),
)
