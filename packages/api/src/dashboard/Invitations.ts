/** Links that let people into the account. */
import { Errors, Id, Invitation, Member } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { ofBody } from "../Errors.ts"
import { Authentication, Needs, PREFIX, Roles } from "./Access.ts"

/** Whom to invite, and as what. */
export const InvitationCreate = Schema.Struct({
  role: Member.Role,
  email: Schema.optionalKey(Schema.NullOr(Member.EmailInput)),
}).annotate({ identifier: "InvitationCreate" })

/** An invitation with the token that its link ends in: shown this once. */
export const InvitationWithToken = Schema.Struct({ ...Invitation.Invitation.fields, token: Schema.String }).annotate({
  identifier: "InvitationWithToken",
})

export const InvitationList = Schema.Struct({ data: Schema.Array(Invitation.Invitation) }).annotate({
  identifier: "InvitationList",
})

export class Invitations extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list", "/", { success: InvitationList })
      .annotate(Needs, "owner")
      .annotateMerge(Crud.about("List open invitations", "Newest first.")),
    HttpApiEndpoint.post("create", "/", {
      payload: InvitationCreate,
      success: InvitationWithToken.pipe(HttpApiSchema.status(201)),
      error: [Errors.Conflict, ...ofBody],
    })
      .annotate(Needs, "owner")
      .annotateMerge(
        Crud.about(
          "Invite somebody",
          "Answers with the token of the link, which nobody can see again. Refused where too many are open.",
        ),
      ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: Id.InvitationId.input },
      success: HttpApiSchema.NoContent,
      error: Errors.NotFound,
    })
      .annotate(Needs, "owner")
      .annotateMerge(Crud.about("Revoke an invitation", "Its link works no more.")),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/invitations`)
  .annotate(OpenApi.Description, "Links that let people in.") {}
