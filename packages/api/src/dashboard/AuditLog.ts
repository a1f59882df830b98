/** Who did what in the account. */
import { AuditEntry, Errors, Id, Page } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"

export class AuditLog extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...Page.Pagination,
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
