/** Who calls, and what they may do: API keys as two security schemes, and the scopes an operation needs. */
import type { ApiKey, Id } from "@tc/domain"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Forbidden, InternalServerError, ServiceUnavailable, Unauthorized } from "./Errors.ts"

/** The key of the request at hand. */
export class CurrentKey extends Context.Service<
  CurrentKey,
  {
    readonly account_id: Id.AccountId
    readonly key_id: Id.ApiKeyId
    readonly scopes: ReadonlyArray<ApiKey.Scope>
  }
>()("@tc/api/CurrentKey") {}

const described = (description: string) => HttpApiSecurity.annotate(OpenApi.Description, description)

/** Finds the key of a request: `Authorization: Bearer` first, else `X-API-Key`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentKey }>()(
  "@tc/api/Authorization",
  {
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        described("Recommended: `Authorization: Bearer tc_…`, an API key of the account."),
      ),
      api_key: HttpApiSecurity.apiKey({ key: "X-API-Key", in: "header" }).pipe(
        described("The same key in a header of its own. Ignored beside a bearer token."),
      ),
    },
    error: Unauthorized,
    requiredForClient: true,
  },
) {}

/** Refuses a key without the scope that the operation's method needs: `read`, `write` or `delete`. */
export class Scopes extends HttpApiMiddleware.Service<Scopes, { requires: CurrentKey }>()("@tc/api/Scopes", {
  error: Forbidden,
}) {}

/** Gives every failure its form on the wire. The outermost of the three: it sees what the others refuse. */
export class Failures extends HttpApiMiddleware.Service<Failures>()("@tc/api/Failures", {
  error: [InternalServerError, ServiceUnavailable],
}) {}
