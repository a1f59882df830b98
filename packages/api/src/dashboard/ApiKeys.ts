/** API keys: created, rotated and revoked by people. */
import { ApiKey, Errors, Id, Page, Value } from "@tc/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Crud from "../Crud.ts"
import { ofBody } from "../Errors.ts"
import { Authentication, PREFIX, Roles } from "./Access.ts"

/** Seconds for which a key that is replaced may be used on, at most. */
export const OVERLAP_MAX_SECONDS = 30 * 86_400

export const ApiKeyCreate = Schema.Struct({
  name: Value.Name,
  scopes: Schema.Array(ApiKey.Scope).check(Schema.isMinLength(1, { expected: "at least one scope" })),
  /** When it ends; never, where it is left out. */
  expires_at: Schema.optionalKey(Schema.NullOr(Value.Instant)),
}).annotate({ identifier: "ApiKeyCreate" })

/** How a key is replaced: the new one has its name, its scopes and the expiry given. */
export const ApiKeyRotate = Schema.Struct({
  overlap_seconds: Schema.Int.check(
    Schema.isBetween(
      { minimum: 0, maximum: OVERLAP_MAX_SECONDS },
      { expected: `a whole number of seconds from 0 to ${OVERLAP_MAX_SECONDS}` },
    ),
  ),
  expires_at: Schema.optionalKey(Schema.NullOr(Value.Instant)),
}).annotate({ identifier: "ApiKeyRotate" })

/** A key with the key itself: shown this once. */
export const ApiKeyWithKey = Schema.Struct({ ...ApiKey.ApiKey.fields, key: Schema.String }).annotate({
  identifier: "ApiKeyWithKey",
})

const params = { id: Id.ApiKeyId.input }

export class ApiKeys extends HttpApiGroup.make("api_keys")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: Page.Pagination,
      success: Page.Page(ApiKey.ApiKey),
      error: Errors.Invalid,
    }).annotateMerge(Crud.about("List API keys", "Newest first, those that have ended included.")),
    HttpApiEndpoint.post("create", "/", {
      payload: ApiKeyCreate,
      success: ApiKeyWithKey.pipe(HttpApiSchema.status(201)),
      error: [Errors.Conflict, ...ofBody],
    }).annotateMerge(
      Crud.about(
        "Create an API key",
        "Answers with the key, which nobody can see again. Refused where too many are active.",
      ),
    ),
    HttpApiEndpoint.post("rotate", "/:id/rotate", {
      params,
      payload: ApiKeyRotate,
      success: ApiKeyWithKey.pipe(HttpApiSchema.status(201)),
      error: [Errors.NotFound, Errors.Conflict, ...ofBody],
    }).annotateMerge(
      Crud.about(
        "Rotate an API key",
        "Answers with a new key of the same name and scopes. The old one ends after the overlap. Refused where too many would be active.",
      ),
    ),
    HttpApiEndpoint.post("revoke", "/:id/revoke", {
      params,
      success: ApiKey.ApiKey,
      error: Errors.NotFound,
    }).annotateMerge(Crud.about("Revoke an API key", "It is refused from then on, in every process.")),
  )
  .middleware(Roles)
  .middleware(Authentication)
  .prefix(`${PREFIX}/api_keys`)
  .annotate(OpenApi.Description, "Keys for programs.") {}
