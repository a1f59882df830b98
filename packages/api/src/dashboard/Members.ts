/** The people of the account: members, invitations, and what they did. */
import { AuditEntry, Errors, Id, Invitation, Member, Page } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { ofBody } from "../Errors.ts"
import { Authentication, Needs, PREFIX, Roles } from "./Access.ts"

const { q: _, ...page } = Page.Query

export const MemberList = Schema.Struct({ data: Schema.Array(Member.Member) }).annotate({ identifier: "MemberList" })

export class Members extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/", { success: MemberList }).annotateMerge(
      Crud.about("List members", "All of them, oldest first."),
    ),
    HttpApiEndpoint.patch("modify", "/:id", {
      params: { id: Id.MemberId.input },
      payload: Schema.Struct({ role: Member.Role }),
      success: Member.Member,
      error: [Errors.NotFound, Errors.Conflict, ...ofBody],
    })
      .annotate(Needs, "owner")
      .annotateMerge(Crud.about("Change a member's role", "Refused where no owner would be left.")),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: Id.MemberId.input },
      success: HttpApiSchema.NoContent,
      error: [Errors.NotFound, Errors.Conflict],
    })
      .annotate(Needs, "owner")
      .annotateMerge(
        Crud.about("Remove a member", "Ends their sessions at once. Refused where no owner would be left."),
      ),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/members`)
  .annotate(OpenApi.Description, "Who may use the dashboard.") {}

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
      error: ofBody,
    })
      .annotate(Needs, "owner")
      .annotateMerge(Crud.about("Invite somebody", "Answers with the token of the link, which nobody can see again.")),
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

export class Audit extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page,
        action: Schema.optionalKey(AuditEntry.Action),
        member_id: Schema.optionalKey(Id.MemberId.input),
      },
      success: Page.Page(AuditEntry.AuditEntry),
      error: Errors.Invalid,
    }).annotateMerge(Crud.about("List who did what", "Newest first.")),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/audit`)
  .annotate(OpenApi.Description, "Who did what.") {}
