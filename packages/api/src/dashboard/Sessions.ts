/** Signing in and out. */
import { type Errors, Invitation, Member, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { NotSignedIn, ofBody, TooManyTries } from "../Errors.ts"
import { Authentication, Needs, PREFIX, Roles } from "./Access.ts"

/** The account as people see it. */
export const account = Schema.Struct({ id: Invitation.Invitation.fields.account_id, name: Value.Name })

/** Who is signed in, and to which account. */
export const SignedIn = Schema.Struct({
  member: Member.Member,
  account,
  /** When the session ends if it is not used any more. */
  expires_at: Value.Timestamp,
}).annotate({ identifier: "SignedIn" })
export type SignedIn = typeof SignedIn.Type

/** The accounts among which somebody has to choose, who is a member of several with this password: nobody is signed in yet. */
export const AccountChoice = Schema.Struct({ accounts: Schema.Array(account) }).annotate({
  identifier: "AccountChoice",
})
export type AccountChoice = typeof AccountChoice.Type

/** An address and a password. `account` is the name of the account to sign in to, for who is a member of several. */
export const SignIn = Schema.Struct({
  email: Member.EmailInput,
  password: Member.PasswordGiven,
  account: Schema.optionalKey(Schema.NullOr(Value.Name)),
}).annotate({ identifier: "SignIn" })

export const PasswordChange = Schema.Struct({
  current: Member.PasswordGiven,
  password: Member.Password,
}).annotate({ identifier: "PasswordChange" })

/** The session itself. Signing in needs none. */
export class Sessions extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("get", "/", { success: SignedIn }).annotateMerge(
      Crud.about("See who is signed in", "Answers with the member, the account, and when the session ends."),
    ),
    HttpApiEndpoint.delete("delete", "/", { success: HttpApiSchema.NoContent })
      .annotate(Needs, "viewer")
      .annotateMerge(Crud.about("Sign out", "Ends the session at once, in every process.")),
    HttpApiEndpoint.post("change_password", "/password", {
      payload: PasswordChange,
      success: HttpApiSchema.NoContent,
      error: [TooManyTries, ...ofBody],
    })
      .annotate(Needs, "viewer")
      .annotateMerge(Crud.about("Change the password", "Ends all other sessions of the member.")),
  )
  // Those added before need a session.
  .middleware(Roles)
  .middleware(Authentication)
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: SignIn,
      success: [SignedIn.pipe(HttpApiSchema.status(201)), AccountChoice],
      error: [NotSignedIn, TooManyTries, ...ofBody],
    }).annotateMerge(
      Crud.about(
        "Sign in",
        "Sets the cookie that the other operations need; or answers 200 with the accounts to choose from, one of which has to be named.",
      ),
    ),
  )
  .prefix(`${PREFIX}/session`)
  .annotate(OpenApi.Description, "Signing in and out.") {}

// The type of `Sessions` names the domain's errors, and so this file has to know them.
export type { Errors }
