/** What the domain refuses, each with its HTTP status. All share the wire form `{ error, code, message }`. */
import { Schema } from "effect"
import * as Name from "./Name.ts"

/** What every error has: the name of its status, why in one word, what to do about it, and the request to quote. */
export const fields = <const Status extends string, Code extends Schema.Top>(error: Status, code: Code) => ({
  error: Schema.tag(error),
  code,
  message: Schema.String,
  /** Filled in by the server on the way out. */
  request_id: Schema.optionalKey(Schema.String),
})

/** No such record in this account. */
export class NotFound extends Schema.Error<NotFound>("NotFound")(fields("Not Found", Schema.tag("not_found")), {
  httpApiStatus: 404,
}) {
  get _tag() {
    return "NotFound" as const
  }
}

/** Why the state of things does not allow a request. */
export const ConflictCode = Schema.Literals([
  "design_finalized",
  "design_locked",
  "design_not_finalized",
  "id_taken",
  "session_token_taken",
  "name_taken",
  "delivery_in_progress",
  "endpoint_not_active",
  "too_many_secrets",
  "recovery_in_progress",
  "account_has_members",
  "email_taken",
  "last_owner",
  "key_not_active",
  "too_many_api_keys",
  "too_many_invitations",
])
export type ConflictCode = typeof ConflictCode.Type

/** The state of things does not allow the request; `code` says why. */
export class Conflict extends Schema.Error<Conflict>("Conflict")(fields("Conflict", ConflictCode), {
  httpApiStatus: 409,
}) {
  get _tag() {
    return "Conflict" as const
  }
}

/** One wrong field: a JSON pointer (RFC 6901) into the body, or `/name` for a query parameter. */
export const FieldError = Schema.Struct({ path: Schema.String, message: Schema.String })
export type FieldError = typeof FieldError.Type

/** A request that is understood and wrong; `errors` has one entry per wrong field, all of them at once. */
export class Invalid extends Schema.Error<Invalid>("Invalid")(
  { ...fields("Unprocessable Entity", Schema.tag("validation_failed")), errors: Schema.Array(FieldError) },
  { httpApiStatus: 422 },
) {
  get _tag() {
    return "Invalid" as const
  }
}

export const notFound = (name: string, id: string): NotFound =>
  new NotFound({ message: `There is no ${Name.spoken(name)} ${id} in this account.` })

export const invalid = (errors: ReadonlyArray<FieldError>): Invalid =>
  new Invalid({
    message: `The request has ${errors.length === 1 ? "1 wrong field" : `${errors.length} wrong fields`}: ${errors
      .map(({ path, message }) => `${path === "" ? "the body" : path} ${message}`)
      .join("; ")
      .slice(0, 500)}.`,
    errors,
  })

/** A reference that leads nowhere in this account. */
export const missingReference = (field: string, name: string): Invalid =>
  invalid([{ path: `/${field}`, message: `names no ${Name.spoken(name)} of this account` }])
