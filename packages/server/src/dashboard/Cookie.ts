/** The cookie that holds the token of a session. */
import { Session } from "@tc/domain"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Caller from "./Caller.ts"
import type { Settings } from "./DashboardSettings.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const NAME = "tc_session"

/** With this prefix a browser takes it over TLS only, for this host alone: nobody on another host of the domain can set it. */
const nameOf = (isSecure: boolean) => (isSecure ? `__Host-${NAME}` : NAME)

const optionsOf = (isSecure: boolean) => ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure }) as const

/** The token that came with a request. */
export const read = (request: Request, settings: Settings): string | undefined =>
  request.cookies[nameOf(Caller.isSecure(request, settings))]

/** Has the browser keep a token. */
export const write = (
  response: Response,
  token: string,
  request: Request,
  settings: Settings,
): Effect.Effect<Response> => {
  const isSecure = Caller.isSecure(request, settings)
  const options = { ...optionsOf(isSecure), maxAge: Session.LASTS_MS }
  return Effect.orDie(HttpServerResponse.setCookie(response, nameOf(isSecure), token, options))
}

/** Has the browser forget it. */
export const clear = (response: Response, request: Request, settings: Settings): Effect.Effect<Response> => {
  const isSecure = Caller.isSecure(request, settings)
  return Effect.orDie(HttpServerResponse.expireCookie(response, nameOf(isSecure), optionsOf(isSecure)))
}
