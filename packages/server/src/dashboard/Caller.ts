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
/** Those that name what one customer of a provider gets at most. */
const SITE = 3

/** The eight hextets of an IPv6 address as `URL` writes it: in brackets, with its longest run of zeros left out. */
const hextets = (host: string): ReadonlyArray<string> => {
  const [front = [], back = []] = host
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter((part) => part !== ""))
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => "0"), ...back]
}

/** What the IPv6 addresses begin with that stand for an IPv4 one: mapped (RFC 4291), and translated (RFC 7915, RFC 6052). */
const embedding = new Set(["0:0:0:0:0:ffff", "0:0:0:0:ffff:0", "64:ff9b:0:0:0:0"])

/** The IPv4 address that two hextets are. */
const dotted = (high = "0", low = "0"): string =>
  [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join(".")

/** What stands for all addresses of one caller, however they are written: of IPv6 the network. Undefined where a text is no address. */
const placeOf = (text: string): string | undefined => {
  const bare = /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
  if (/^\d+\.\d+\.\d+\.\d+$/.test(bare)) return URL.parse(`http://${bare}`)?.hostname
  const host = bare.includes(":") ? URL.parse(`http://[${bare.split("%", 1)[0]}]`)?.hostname : undefined
  if (host === undefined) return undefined
  const parts = hextets(host)
  return embedding.has(parts.slice(0, 6).join(":")) ? dotted(parts[6], parts[7]) : parts.slice(0, NETWORK).join(":")
}

/** Where tries are counted: the caller's address, or the proxy's where that says none. */
export const addressOf = (request: Request, settings: Settings): string =>
  placeOf(forwarded(request, "x-forwarded-for", settings) ?? "") ??
  placeOf(Option.getOrElse(request.remoteAddress, () => "")) ??
  "unknown"

/** The site that a network of IPv6 belongs to, which has 65,536 of them; null for other addresses. */
export const siteOf = (address: string): string | null =>
  address.includes(":") ? address.split(":").slice(0, SITE).join(":") : null

/** Whether a request comes from a page of this service. Every browser says so with what can change something. */
export const isSameOrigin = (request: Request, { public_origin }: Settings): boolean => {
  const { host, origin, "sec-fetch-site": site = "same-origin" } = request.headers
  if (origin === undefined || host === undefined || site !== "same-origin") return false
  return public_origin === null ? URL.parse(origin)?.host === host.toLowerCase() : origin === public_origin
}
