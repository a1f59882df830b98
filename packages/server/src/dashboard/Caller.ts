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

/** Hextets of an IPv6 address that name a network: whoever has one of its addresses has them all. */
const NETWORK = 4

/** The eight hextets of an IPv6 address as `URL` writes it: in brackets, with its longest run of zeros left out. */
const hextets = (host: string): ReadonlyArray<string> => {
  const [front = [], back = []] = host
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter((part) => part !== ""))
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => "0"), ...back]
}

/** What stands for all addresses of one caller: of IPv6 the network. Undefined where a text is no address. */
const placeOf = (text: string): string | undefined => {
  const bare = /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (v4 !== undefined) return URL.parse(`http://${v4}`)?.hostname
  const host = bare.includes(":") ? URL.parse(`http://[${bare.split("%", 1)[0]}]`)?.hostname : undefined
  return host === undefined ? undefined : hextets(host).slice(0, NETWORK).join(":")
}

/** Where tries are counted: the caller's address, or the proxy's where that says none. */
export const addressOf = (request: Request, settings: Settings): string =>
  placeOf(forwarded(request, "x-forwarded-for", settings) ?? "") ??
  placeOf(Option.getOrElse(request.remoteAddress, () => "")) ??
  "unknown"

/** Whether a request comes from a page of this service. Every browser says so with what can change something. */
export const isSameOrigin = (request: Request, { public_origin }: Settings): boolean => {
  const { host, origin, "sec-fetch-site": site = "same-origin" } = request.headers
  if (origin === undefined || host === undefined || site !== "same-origin") return false
  return public_origin === null ? URL.parse(origin)?.host === host.toLowerCase() : origin === public_origin
}
