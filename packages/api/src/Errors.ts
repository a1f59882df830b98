/** The errors of the wire that are not the domain's own, and the list of all that a caller can meet. */
import { Errors } from "@tc/domain"
import { Schema, SchemaAST } from "effect"

/** The body is not JSON. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  Errors.fields("Bad Request", Schema.tag("malformed_json")),
  { httpApiStatus: 400 },
) {
  get _tag() {
    return "BadRequest" as const
  }
}

export const UnauthorizedCode = Schema.Literals([
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
])
export type UnauthorizedCode = typeof UnauthorizedCode.Type

/** No API key, or one that is not accepted; `code` says why. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  Errors.fields("Unauthorized", UnauthorizedCode),
  { httpApiStatus: 401 },
) {
  get _tag() {
    return "Unauthorized" as const
  }
}

/** The key lacks the scope that the operation needs; the message names it. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  Errors.fields("Forbidden", Schema.tag("insufficient_scope")),
  { httpApiStatus: 403 },
) {
  get _tag() {
    return "Forbidden" as const
  }
}

/** The path is known, with other methods: those of the `Allow` header. */
export class MethodNotAllowed extends Schema.Error<MethodNotAllowed>("MethodNotAllowed")(
  Errors.fields("Method Not Allowed", Schema.tag("method_not_allowed")),
  { httpApiStatus: 405 },
) {
  get _tag() {
    return "MethodNotAllowed" as const
  }
}

/** The body is larger than the service takes. */
export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(
  Errors.fields("Payload Too Large", Schema.tag("payload_too_large")),
  { httpApiStatus: 413 },
) {
  get _tag() {
    return "PayloadTooLarge" as const
  }
}

/** The body has a content type other than JSON. */
export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaType")(
  Errors.fields("Unsupported Media Type", Schema.tag("unsupported_media_type")),
  { httpApiStatus: 415 },
) {
  get _tag() {
    return "UnsupportedMediaType" as const
  }
}

/** A fault of the service; `request_id` finds it in its log. */
export class InternalServerError extends Schema.Error<InternalServerError>("InternalServerError")(
  Errors.fields("Internal Server Error", Schema.tag("internal_error")),
  { httpApiStatus: 500 },
) {
  get _tag() {
    return "InternalServerError" as const
  }
}

/** The service cannot answer just now, most likely for want of its storage; `Retry-After` says when to try again. */
export class ServiceUnavailable extends Schema.Error<ServiceUnavailable>("ServiceUnavailable")(
  Errors.fields("Service Unavailable", Schema.tag("service_unavailable")),
  { httpApiStatus: 503 },
) {
  get _tag() {
    return "ServiceUnavailable" as const
  }
}

/** Nobody is signed in, or not with this password. */
export class NotSignedIn extends Schema.Error<NotSignedIn>("NotSignedIn")(
  Errors.fields("Unauthorized", Schema.Literals(["not_signed_in", "wrong_credentials"])),
  { httpApiStatus: 401 },
) {
  get _tag() {
    return "NotSignedIn" as const
  }
}

/** The member's role does not allow it, or the request comes from another site. */
export class NotAllowed extends Schema.Error<NotAllowed>("NotAllowed")(
  Errors.fields("Forbidden", Schema.Literals(["insufficient_role", "cross_origin"])),
  { httpApiStatus: 403 },
) {
  get _tag() {
    return "NotAllowed" as const
  }
}

/** It was tried too often; `Retry-After` says when to try again. */
export class TooManyTries extends Schema.Error<TooManyTries>("TooManyTries")(
  { ...Errors.fields("Too Many Requests", Schema.tag("too_many_tries")), retry_after_seconds: Schema.Int },
  { httpApiStatus: 429 },
) {
  get _tag() {
    return "TooManyTries" as const
  }
}

/** Every error of the REST contract, the domain's included. */
export const all = [
  BadRequest,
  Unauthorized,
  Forbidden,
  Errors.NotFound,
  MethodNotAllowed,
  Errors.Conflict,
  PayloadTooLarge,
  UnsupportedMediaType,
  Errors.Invalid,
  InternalServerError,
  ServiceUnavailable,
] as const

/** What only the dashboard answers. */
export const ofDashboard = [NotSignedIn, NotAllowed, TooManyTries] as const

const known = [...all, ...ofDashboard]

/** Any error that a caller can meet. */
export type Failure = InstanceType<(typeof known)[number]>

/** What an operation with a body can answer, beside its own errors. */
export const ofBody = [BadRequest, PayloadTooLarge, UnsupportedMediaType, Errors.Invalid] as const

export const isFailure = (value: unknown): value is Failure => known.some((failure) => value instanceof failure)

/** The HTTP status of an error, as its class says. */
export const statusOf = (failure: Failure): number => statuses.get(failure.constructor) ?? 500

const statuses = new Map<unknown, number>(
  known.map((failure) => [failure, Number(SchemaAST.resolve(failure.ast)?.["httpApiStatus"])]),
)
