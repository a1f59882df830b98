/** Answers: JSON, and every failure in its one form on the wire. */
import { Errors } from "@tc/api"
import { type Headers, HttpServerResponse } from "effect/http"

/** Seconds after which to try again when the storage could not be reached. */
const RETRY_AFTER_SECONDS = 5

const contentType = "application/json"

/** Text that is JSON already. */
export const text = (body: string, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { status, contentType })

/** A value as JSON. */
export const json = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  text(JSON.stringify(body), status)

/** A new record, and where it is. */
export const created = (location: string, record: unknown): HttpServerResponse.HttpServerResponse =>
  located(location, record, 201)

/** Work that is done after the answer, and where its progress is. */
export const accepted = (location: string, record: unknown): HttpServerResponse.HttpServerResponse =>
  located(location, record, 202)

const located = (location: string, record: unknown, status: number) =>
  HttpServerResponse.setHeader(json(record, status), "location", location)

/** An answer that holds a secret: nothing on its way keeps it. */
export const secret = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(response, "cache-control", "no-store")

/** Nothing to say. */
export const noContent: HttpServerResponse.HttpServerResponse = HttpServerResponse.empty({ status: 204 })

/** A failure: `{ error, message, code, request_id }`, and `errors` where fields are wrong. */
export const failure = (failure: Errors.Failure, request_id: string): HttpServerResponse.HttpServerResponse => {
  const { error, message, code } = failure
  const errors = failure._tag === "Invalid" ? { errors: failure.errors } : {}
  const response = json({ error, message, code, request_id, ...errors }, Errors.statusOf(failure))
  if (failure._tag === "TooManyTries")
    return HttpServerResponse.setHeader(response, "retry-after", String(failure.retry_after_seconds))
  return HttpServerResponse.setHeaders(response, headers[failure._tag] ?? {})
}

const headers: { readonly [Tag in Errors.Failure["_tag"]]?: Headers.Input } = {
  Unauthorized: { "www-authenticate": "Bearer" },
  ServiceUnavailable: { "retry-after": String(RETRY_AFTER_SECONDS) },
  // Nobody reads the rest of the body.
  PayloadTooLarge: { connection: "close" },
}
