/** Who may use the dashboard. */
import { Errors, Id, Member, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { ofBody } from "../Errors.ts"
import { Authentication, Needs, PREFIX, Roles } from "./Access.ts"

export const MemberList = Schema.Struct({ data: Schema.Array(Member.Member) }).annotate({ identifier: "MemberList" })

/** A link with which a member chooses another password: the token that it ends in. */
export const PasswordResetOffer = Schema.Struct({ token: Schema.String, expires_at: Value.Timestamp }).annotate({
  identifier: "PasswordResetOffer",
})

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
    HttpApiEndpoint.post("offer_reset", "/:id/password_reset", {
      params: { id: Id.MemberId.input },
      success: PasswordResetOffer.pipe(HttpApiSchema.status(201)),
      error: Errors.NotFound,
    })
      .annotate(Needs, "owner")
      .annotateMerge(
        Crud.about(
          "Make a link for another password",
          "Answers with the token of the link, which nobody can see again. It works once, for a day, and ends any before it.",
        ),
      ),
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
