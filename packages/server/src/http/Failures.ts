/** What can go wrong on the way to a handler and in it, and the failure that the caller is told of. */
import { Errors as Wire, Failures } from "@tc/api"
import { Errors, Limits } from "@tc/domain"
import { Effect, Layer, Predicate, type Cause } from "effect"
import { HttpServerError, type HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { Incoming } from "./Incoming.ts"
import { fieldErrors } from "./Issues.ts"
import * as Responses from "./Responses.ts"

/** Gives the typed failures of every operation their form. What is no failure of the contract is a defect. */
export const layer = Layer.succeed(Failures, (httpEffect, { endpoint }) =>
  Effect.flatMap(Incoming, (incoming) => {
    incoming.route = endpoint.path
    const answered = (error: unknown) => {
      const failure = Wire.isFailure(error) ? error : refused(error)
      return failure === undefined ? Effect.die(error) : Effect.succeed(Responses.failure(failure, incoming.id))
    }
    return httpEffect.pipe(Effect.catch(answered))
  }),
)

/** A request that does not fit its operation. */
const refused = (error: unknown): Wire.Failure | undefined => {
  if (!HttpApiError.HttpApiSchemaError.is(error)) return undefined
  const { issue } = error.cause
  switch (error.kind) {
    case "Params":
      return new Errors.NotFound({ message: "There is no record with this id in this account: ids are UUIDs." })
    case "Query":
      return Errors.invalid(fieldErrors(issue).map(({ path, message }) => ({ path, message: once(message) })))
    case "Payload":
      // The one thing said of a whole body that is neither of its type nor of its fields.
      return issue._tag === "InvalidValue" ? badRequest : Errors.invalid(fieldErrors(issue))
    default:
      return undefined
  }
}

/** Query parameters are always text: one that is not was given several times. */
const once = (message: string) => (message === "must be a string" ? "must be given once" : message)

const badRequest = new Wire.BadRequest({ message: "The body is not valid JSON." })
const unavailable = new Wire.ServiceUnavailable({ message: "The service cannot answer just now. Try again later." })
const internal = new Wire.InternalServerError({
  message: "Something went wrong in the service. Quote the request_id when you report it.",
})
const tooLarge = new Wire.PayloadTooLarge({
  message: `The body is larger than ${Limits.BODY_MAX_BYTES / 1024 / 1024} MiB.`,
})

/** The failures behind the bare statuses with which the HTTP layer itself answers. */
const byStatus: { readonly [status: number]: Wire.Failure } = {
  400: badRequest,
  404: new Errors.NotFound({ message: "There is nothing at this path." }),
  413: tooLarge,
  415: new Wire.UnsupportedMediaType({ message: "The body must be JSON: send it as application/json." }),
  503: unavailable,
}

/** The failure that a bare status stands for; a fault of the service where it stands for none. */
export const ofStatus = (status: number): Wire.Failure => byStatus[status] ?? internal

/** What became of a request that ended without a response. Undefined when its caller has gone. */
export const ofCause = (cause: Cause.Cause<unknown>): Effect.Effect<Wire.Failure | undefined> => {
  if (cause.reasons.some((reason) => reason._tag === "Die" && Predicate.isTagged(reason.defect, "Unavailable"))) {
    return Effect.as(Effect.logError("the storage is unavailable", cause), unavailable)
  }
  return Effect.flatMap(HttpServerError.causeResponse(cause), ([{ status }]) => {
    if (status === 499) return Effect.succeed(undefined)
    const failure = ofStatus(status)
    return failure === internal
      ? Effect.as(Effect.logError("a request failed", cause), failure)
      : Effect.succeed(failure)
  })
}

/** Whether a response says with its status alone that something went wrong. */
export const isBare = ({ body, status }: HttpServerResponse.HttpServerResponse): boolean =>
  status >= 400 && (body._tag === "Empty" || body.contentType?.startsWith("text/plain") === true)
