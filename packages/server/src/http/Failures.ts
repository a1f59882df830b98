/** What can go wrong on the way to a handler and in it, and the failure that the caller is told of. */
import { Errors as Wire, Failures } from "@tc/api"
import { Errors, Limits } from "@tc/domain"
import { Effect, Layer, Predicate, type Cause, type SchemaIssue } from "effect"
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import * as Checks from "./Checks.ts"
import { Incoming } from "./Incoming.ts"
import { fieldErrors } from "./Issues.ts"
import * as Responses from "./Responses.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Gives the typed failures of every operation their form. What is no failure of the contract is a defect. */
export const layer = Layer.effect(
  Failures,
  Effect.map(Checks.make, (check) => {
    const refused = refusal(check)
    return (httpEffect, { endpoint, group }) =>
      Effect.flatMap(Incoming, (incoming) => {
        incoming.route = endpoint.path
        const failed = (error: unknown) =>
          Effect.map(Wire.isFailure(error) ? Effect.succeed(error) : refused(error, group.identifier), (failure) =>
            Responses.failure(failure, incoming.id),
          )
        return httpEffect.pipe(Effect.catch(failed))
      })
  }),
)

/** A request that does not fit its operation, of a group of them. */
const refusal =
  (check: Checks.Checks) =>
  (error: unknown, group: string): Effect.Effect<Wire.Failure, never, Request> => {
    if (!HttpApiError.HttpApiSchemaError.is(error)) return Effect.die(error)
    const { issue } = error.cause
    switch (error.kind) {
      case "Params":
        return Effect.succeed(noSuchId)
      case "Query":
        return Effect.succeed(
          Errors.invalid(fieldErrors(issue).map(({ path, message }) => ({ path, message: once(message) }))),
        )
      case "Payload":
        // The one thing said of a whole body that is neither of its type nor of its fields.
        return issue._tag === "InvalidValue" ? Effect.succeed(badRequest) : ofPayload(check, issue, group)
      default:
        return Effect.die(error)
    }
  }

/** What the schema found in a JSON body, with what it could not see in the rest; nothing at all is no JSON. */
const ofPayload = (check: Checks.Checks, issue: SchemaIssue.Issue, group: string) =>
  Effect.gen(function* () {
    const text = yield* Effect.orDie((yield* HttpServerRequest.HttpServerRequest).text)
    if (text === "") return empty
    const { account_id } = yield* Incoming
    const found = fieldErrors(issue)
    return Errors.invalid(account_id === null ? found : yield* check(group, account_id, JSON.parse(text), found))
  })

/** Query parameters are always text: one that is not was given several times. */
const once = (message: string) => (message === "must be a string" ? "must be given once" : message)

const noSuchId = new Errors.NotFound({ message: "There is no record with this id in this account: ids are UUIDs." })
const badRequest = new Wire.BadRequest({ message: "The body is not valid JSON." })
const empty = new Wire.BadRequest({ message: "The body is empty: it must be a JSON object." })
const unavailable = new Wire.ServiceUnavailable({ message: "The service cannot answer just now. Try again later." })
const internal = new Wire.InternalServerError({
  message: "Something went wrong in the service. Quote the request_id when you report it.",
})
/** A body that is larger than the service takes. */
export const tooLarge = new Wire.PayloadTooLarge({
  message: `The body is larger than ${Limits.BODY_MAX_BYTES / 1024 / 1024} MiB.`,
})

/** A body that is larger than the dashboard needs. */
export const tooLargeForDashboard = new Wire.PayloadTooLarge({
  message: `The body is larger than ${Limits.DASHBOARD_BODY_MAX_BYTES / 1024} KiB.`,
})

/** A body that came compressed. */
export const coded = new Wire.UnsupportedMediaType({
  message: "The body must be as it is, without a Content-Encoding.",
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
