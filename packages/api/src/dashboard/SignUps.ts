/** Becoming a member: by an invitation, that of the first member included. */
import { Errors, Member, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { ofBody, TooManyTries } from "../Errors.ts"
import { PREFIX } from "./Access.ts"
import { account, SignedIn } from "./Sessions.ts"

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
