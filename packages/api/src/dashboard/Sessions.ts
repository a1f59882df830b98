/** Coming in: the first member, invitations, signing in and out. */
import { Errors, Invitation, Member, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { NotSignedIn, ofBody, TooManyTries } from "../Errors.ts"
import { Authentication, Needs, PREFIX, Roles } from "./Access.ts"

const account = Schema.Struct({ id: Invitation.Invitation.fields.account_id, name: Value.Name })

/** Who is signed in, and to which account. */
export const SignedIn = Schema.Struct({
  member: Member.Member,
  account,
  /** When the session ends if it is not used any more. */
  expires_at: Value.Timestamp,
}).annotate({ identifier: "SignedIn" })
export type SignedIn = typeof SignedIn.Type

/** An address and a password. `account` is the name of the account to sign in to, for who is a member of several. */
export const SignIn = Schema.Struct({
  email: Member.EmailInput,
  password: Member.PasswordGiven,
  account: Schema.optionalKey(Schema.NullOr(Value.Name)),
}).annotate({ identifier: "SignIn" })

/** What an invitation leads to. */
export const InvitationPreview = Schema.Struct({
  account,
  role: Member.Role,
  email: Schema.NullOr(Member.Email),
  expires_at: Value.Timestamp,
}).annotate({ identifier: "InvitationPreview" })

const token = Value.Token

/** Accepts an invitation, the first of all included. `email` must be the invitation's where that names one. */
export const SignUp = Schema.Struct({
  token,
  email: Member.EmailInput,
  name: Value.Name,
  password: Member.Password,
}).annotate({ identifier: "SignUp" })

export const PasswordChange = Schema.Struct({
  current: Member.PasswordGiven,
  password: Member.Password,
}).annotate({ identifier: "PasswordChange" })

/** For those who are not signed in. */
export class SignUps extends HttpApiGroup.make("sign_ups")
  .add(
    HttpApiEndpoint.get("state", "/", {
      success: Schema.Struct({ first: Schema.Boolean }).annotate({ identifier: "SignUpState" }),
    }).annotateMerge(
      Crud.about(
        "See whether anybody has signed up",
        "`first`: nobody has yet, and the token for it is in the server's log.",
      ),
    ),
    HttpApiEndpoint.post("preview", "/preview", {
      payload: Schema.Struct({ token }),
      success: InvitationPreview,
      error: [Errors.NotFound, TooManyTries, ...ofBody],
    }).annotateMerge(Crud.about("See where an invitation leads", "Changes nothing.")),
    HttpApiEndpoint.post("create", "/", {
      payload: SignUp,
      success: SignedIn.pipe(HttpApiSchema.status(201)),
      error: [Errors.NotFound, Errors.Conflict, TooManyTries, ...ofBody],
    }).annotateMerge(Crud.about("Accept an invitation", "Creates the member and signs them in.")),
  )
  .prefix(`${PREFIX}/sign_ups`)
  .annotate(OpenApi.Description, "Becoming a member.") {}

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
      success: SignedIn.pipe(HttpApiSchema.status(201)),
      error: [NotSignedIn, TooManyTries, ...ofBody],
    }).annotateMerge(Crud.about("Sign in", "Sets the cookie that the other operations need.")),
  )
  .prefix(`${PREFIX}/session`)
  .annotate(OpenApi.Description, "Signing in and out.") {}
