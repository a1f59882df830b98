/** What a request tells of who sends it: over TLS or not, from which address, from a page of which origin. */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Settings } from "./DashboardSettings.ts"

type Request = HttpServerRequest.HttpServerRequest

const forwarded = (request: Request, name: string, { trust_proxy }: Settings): string | undefined =>
  // What the proxy next to us has added stands last; all before it anybody may have written.
  trust_proxy ? request.headers[name]?.split(",").at(-1)?.trim() : undefined

/** Whether the browser reaches the service over TLS. */
export const isSecure = (request: Request, settings: Settings): boolean => {
  const { public_origin } = settings
  if (public_origin !== null) return public_origin.startsWith("https:")
  return forwarded(request, "x-forwarded-proto", settings) === "https"
}

/** The address that tries are counted under. */
export const addressOf = (request: Request, settings: Settings): string =>
  forwarded(request, "x-forwarded-for", settings) ?? Option.getOrElse(request.remoteAddress, () => "unknown")

/** Whether a request comes from a page of this service. Every browser says so with what can change something. */
export const isSameOrigin = (request: Request, { public_origin }: Settings): boolean => {
  const { host, origin, "sec-fetch-site": site = "same-origin" } = request.headers
  if (origin === undefined || site !== "same-origin") return false
  return public_origin === null ? URL.parse(origin)?.host === host?.toLowerCase() : origin === public_origin
}
