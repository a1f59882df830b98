/** The cookies of the dashboard: the token of a session, and what makes a browser a known device. */
import { Device, Session } from "@tc/domain"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Caller from "./Caller.ts"
import type { Settings } from "./DashboardSettings.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const optionsOf = (isSecure: boolean) => ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure }) as const

const make = (name: string, lasts_ms: number) => {
  /** With this prefix a browser takes it over TLS only, for this host alone: nobody on another host of the domain can set it. */
  const nameOf = (isSecure: boolean) => (isSecure ? `__Host-${name}` : name)
  return {
    /** What came with a request. */
    read: (request: Request, settings: Settings): string | undefined =>
      request.cookies[nameOf(Caller.isSecure(request, settings))],
    /** Has the browser keep a value. */
    write: (response: Response, value: string, request: Request, settings: Settings): Effect.Effect<Response> => {
      const isSecure = Caller.isSecure(request, settings)
      const options = { ...optionsOf(isSecure), maxAge: lasts_ms }
      return Effect.orDie(HttpServerResponse.setCookie(response, nameOf(isSecure), value, options))
    },
    /** Has the browser forget it. */
    clear: (response: Response, request: Request, settings: Settings): Effect.Effect<Response> => {
      const isSecure = Caller.isSecure(request, settings)
      return Effect.orDie(HttpServerResponse.expireCookie(response, nameOf(isSecure), optionsOf(isSecure)))
    },
  }
}

/** The token of a session. */
export const session = make("tc_session", Session.LASTS_MS)
/** A device, as `Device` makes it. It stays when a session ends. */
export const device = make("tc_device", Device.LASTS_MS)
