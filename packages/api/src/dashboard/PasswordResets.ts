/** Choosing another password with a link, for who has lost theirs. */
import { Errors, Member, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { NotSignedIn, ofBody, TooManyTries } from "../Errors.ts"
import { PREFIX } from "./Access.ts"
import { account, SignedIn } from "./Sessions.ts"

const token = Value.Token

/** Whose password a link is for. */
export const PasswordResetPreview = Schema.Struct({
  account,
  email: Member.Email,
  name: Value.Name,
}).annotate({ identifier: "PasswordResetPreview" })

export const PasswordReset = Schema.Struct({ token, password: Member.Password }).annotate({
  identifier: "PasswordReset",
})

/** For those who are not signed in. */
export class PasswordResets extends HttpApiGroup.make("password_resets")
  .add(
    HttpApiEndpoint.post("preview", "/preview", {
      payload: Schema.Struct({ token }),
      success: PasswordResetPreview,
      error: [Errors.NotFound, TooManyTries, ...ofBody],
    }).annotateMerge(Crud.about("See whose password a link is for", "Changes nothing.")),
    HttpApiEndpoint.post("create", "/", {
      payload: PasswordReset,
      success: SignedIn.pipe(HttpApiSchema.status(201)),
      error: [Errors.NotFound, NotSignedIn, TooManyTries, ...ofBody],
    }).annotateMerge(
      Crud.about("Choose another password", "Ends all sessions of the member, and the link, and signs them in."),
    ),
  )
  .prefix(`${PREFIX}/password_resets`)
  .annotate(OpenApi.Description, "Choosing another password with a link.") {}
