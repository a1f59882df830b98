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
import * as Caller from "./Caller.ts"
import * as Cookie from "./Cookie.ts"
import { DashboardSettings } from "./DashboardSettings.ts"
import * as KeptOut from "./KeptOut.ts"
import * as KnownDevice from "./KnownDevice.ts"
import * as SigningIn from "./SigningIn.ts"
import * as Tries from "./Tries.ts"

/** The same for an address that nobody has and for a wrong password: neither is told from the other. */
const wrong = new Wire.NotSignedIn({
  code: "wrong_credentials",
  message: "The e-mail address or the password is not right.",
})

/** The member was removed meanwhile, or has another password, with which this session has ended. */
const gone = Effect.fail(
  new Wire.NotSignedIn({
    code: "not_signed_in",
    message: "Your password was changed, or you were removed, meanwhile.",
  }),
)

/**
 * Those of the members whose password it is. Where it is nobody's, as many hashes are computed as there could be members, so that the
 * time tells nothing of whom there is.
 */
const rightful = Effect.fnUntraced(function* (
  { verify }: Passwords["Service"],
  { members, line }: KnownDevice.Admitted,
  most: number,
  password: string,
) {
  const right = yield* Effect.filter(members, ({ password_hash }) => verify(password, password_hash, line))
  if (right.length === 0) yield* Effect.replicateEffect(verify(password, "", line), most - members.length)
  return right
})

/** Told to nobody but who has given the password of all of them. */
const choice = Effect.fnUntraced(function* (members: ReadonlyArray<Member.Row>) {
  const { get } = yield* Accounts
  const found = yield* Effect.forEach(members, ({ account_id }) => Effect.orDie(get(account_id)))
  return Responses.json({ accounts: found.map(({ id, name }) => ({ id, name })) } satisfies Dashboard.AccountChoice)
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
    const noteKeptOut = yield* KeptOut.make
    return group.handleAll({
      get: () =>
        Effect.flatMap(Dashboard.CurrentSession, ({ member, expires_at }) =>
          Effect.map(SigningIn.signedIn(member, expires_at), (body) => Responses.json(body)),
        ),
      create: Effect.fnUntraced(function* ({ payload: { email, password, account = null } }) {
        const from = Caller.addressOf(yield* HttpServerRequest.HttpServerRequest, settings)
        const keptOut = (action: KeptOut.KeptOut["action"]) => noteKeptOut({ action, email, account, from })
        const admit = KnownDevice.admit(email, account)
        const admitted = yield* Effect.tapErrorTag(admit, "TooManyTries", () => keptOut("session.throttled"))
        const right = yield* rightful(passwords, admitted, SigningIn.most(account), password)
        const [row] = right
        if (row === undefined) return yield* Effect.andThen(keptOut("session.refused"), wrong)
        if (right.length > 1) return yield* choice(right)
        const begin = SigningIn.begin(shown(row), row.password_hash)
        const noted = Audit.changedBy(row, "session.created", begin, (response) =>
          response === null ? undefined : null,
        )
        return (yield* noted) ?? (yield* wrong)
      }),
      delete: Effect.fnUntraced(function* () {
        const { account_id, session_id } = yield* Dashboard.CurrentSession
        yield* sessions.end(account_id, session_id)
        return yield* Cookie.session.clear(Responses.noContent, yield* HttpServerRequest.HttpServerRequest, settings)
      }),
      change_password: Effect.fnUntraced(function* ({ payload }) {
        const { account_id, member, session_id } = yield* Dashboard.CurrentSession
        yield* Tries.count(member.id)
        const row = yield* members.get(account_id, member.id).pipe(Effect.catchTag("NotFound", () => gone))
        if (!(yield* passwords.verify(payload.current, row.password_hash))) {
          return yield* Errors.invalid([{ path: "/current", message: "is not the current password" }])
        }
        if (payload.password === payload.current) {
          return yield* Errors.invalid([{ path: "/password", message: "is the current password" }])
        }
        const hash = yield* passwords.hash(payload.password)
        const set = members
          .setPassword(account_id, member.id, { from: row.password_hash, to: hash }, session_id)
          .pipe(Effect.catchTag("NotFound", () => gone))
        yield* Audit.changed("password.changed", set, () => null)
        return yield* SigningIn.remember(Responses.noContent, { email: row.email, password_hash: hash })
      }),
    })
  }),
)
