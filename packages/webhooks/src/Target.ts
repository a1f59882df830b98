/** Which URLs a webhook may be sent to, as far as the URL alone tells: every address a name resolves to is judged too. */
import * as Address from "./Address.ts"

/** Why a URL was refused. */
export type Reason =
  | "malformed_url"
  | "url_too_long"
  | "not_https"
  | "has_credentials"
  | "invalid_port"
  | "private_address"

/** What a URL was found to be: a target, parsed, or none, with a sentence for the person who typed it. */
export type Judged =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: Reason; readonly message: string }

/** What may differ from the defaults. */
export interface Options {
  /** For development only: allows http, and any host. Default false. */
  readonly allow_private?: boolean | undefined
}

/** The most characters a URL can have. */
export const maxLength = 2048

/** Judges a URL as the target of an endpoint: https to a public host, with no credentials in it. */
export const check = (text: string, options?: Options): Judged => {
  if (text.length > maxLength) return refuse("url_too_long", `The URL is longer than ${maxLength} characters.`)
  const url = parse(text)
  if (url === undefined)
    return refuse("malformed_url", "This is not an absolute URL, such as https://example.com/webhooks.")
  const allow_private = options?.allow_private === true
  if (url.protocol !== "https:" && !(allow_private && url.protocol === "http:"))
    return refuse("not_https", `The URL must start with https://${allow_private ? " or http://" : ""}.`)
  if (url.username !== "" || url.password !== "")
    return refuse(
      "has_credentials",
      "The URL must not contain a user name or a password: verify the signature instead.",
    )
  if (url.port === "0") return refuse("invalid_port", "Port 0 is no port to connect to.")
  const kind = hostKind(url.hostname)
  if (kind !== "public" && !allow_private)
    return refuse(
      "private_address",
      `Webhooks go to public addresses only, and ${url.hostname} is none: it is ${kind}.`,
    )
  return { ok: true, url }
}

const refuse = (reason: Reason, message: string): Judged => ({ ok: false, reason, message })

/** The URL, if it is written as one: the parser would also mend slashes, and drop spaces and control characters. */
const parse = (text: string): URL | undefined =>
  // Not `URL.parse`: Node 20 has none.
  /^[a-z][a-z\d+.-]*:\/\/[^\s\p{Cc}/\\][^\s\p{Cc}]*$/iu.test(text) && URL.canParse(text) ? new URL(text) : undefined

/** What the host is for. The parser has made dotted decimals of every way to write an IPv4 address by now. */
const hostKind = (host: string): Address.Kind => {
  if (host.startsWith("[")) return Address.kind(host.slice(1, -1))
  if (/^[\d.]+$/.test(host)) return Address.kind(host)
  return /(^|\.)localhost\.?$/.test(host) ? "loopback" : "public"
}
