/** Verify a delivery: is it really from the service, fresh and unchanged? For receivers, on any runtime with WebCrypto. */
import type { Envelope, WebhookEvent } from "./events.ts"

export type * from "./events.ts"

/**
 * What was received. A Fetch `Request` fits (its body is read, so clone it first if you need it again), and so does any
 * request with `headers` and an unparsed `body`, such as that of Express behind `express.raw()`.
 *
 * `headers` is a `Headers` or a plain object, names in any case. `body` is the raw body exactly as it arrived: never
 * the parsed JSON, nor JSON made from it again. Where it may be missing, as in a serverless event, it may be so here.
 */
export type Received = { readonly headers: FetchHeaders | PlainHeaders } & (
  | { readonly body: string | ArrayBuffer | ArrayBufferView | null | undefined }
  | { readonly arrayBuffer: () => Promise<ArrayBuffer> }
)

/** Headers that are asked for by name, in any case, such as a `Headers`. */
export interface FetchHeaders {
  readonly get: (name: string) => string | null | undefined
}

/** Headers by their names, such as Node has them. */
export interface PlainHeaders {
  readonly [name: string]: string | readonly string[] | undefined
  readonly get?: undefined
}

/** What may differ from the defaults. Note the units: `tolerance` is in seconds, `now` in milliseconds. */
export interface VerifyOptions {
  /** The brand word in the header names, `X-<brand>-Signature`. Default `Service`. */
  readonly brand?: string | undefined
  /** How far the timestamp may be from `now`, both ways, in **seconds**. Default 300, five minutes. */
  readonly tolerance?: number | undefined
  /** The present, in **milliseconds** since 1970 as `Date.now()` has it, which is the default. */
  readonly now?: number | undefined
}

/**
 * Why a delivery was refused. Answer each of them with 401.
 *
 * - `missing_header`: no signature, or no timestamp beside it. Not from the service, or a proxy strips headers
 * - `malformed_header`: there is no signature in the header, or no number in that of the timestamp
 * - `timestamp_too_old`, `timestamp_too_new`: a replay, or one of the two clocks is wrong
 * - `signature_mismatch`: another secret, or the body is not the one that was sent, byte for byte
 * - `malformed_body`: the body was parsed or read before, or is no JSON event
 */
export type Refusal =
  | "missing_header"
  | "malformed_header"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "signature_mismatch"
  | "malformed_body"

/**
 * The name of an event that is newer than these types. The text is that name and nothing else; the type is a pattern that
 * no known name fits, for only so can `event.event === "design.finalized"` rule these events out and narrow `data`. With
 * a plain `string`, branded or not, it could not.
 *
 * So a misspelt name does not compile, and neither does one that these types do not know yet. To handle such an event
 * all the same, compare its name as text; its data is `unknown`.
 *
 * @example
 * const name: string = event.event
 * if (name === "design.teleported") console.log(event.data)
 */
export type UnknownEventName = `${string} (newer than these types)`

/** An event that is newer than these types: what is left when every name you handle was ruled out. */
export type UnknownEvent = Envelope<UnknownEventName, unknown>

/** What a delivery turned out to be. */
export type Verified =
  | { readonly ok: true; readonly event: WebhookEvent | UnknownEvent }
  | { readonly ok: false; readonly reason: Refusal }

/**
 * Verifies one delivery against the endpoint's secret, or against several while one is being replaced.
 *
 * It never throws and never rejects, whatever was sent. The headers are judged before the body is read, the timestamp
 * before anything is computed, and nothing is parsed that was not signed. The service's own headers decide; where there
 * are none, those of Standard Webhooks do. While the service replaces a secret, it signs with several, and one signature
 * that fits is enough; of a header the first 4,096 characters count, some 60 signatures.
 *
 * @example
 * const result = await verify(request, secret)
 * if (!result.ok) return new Response(result.reason, { status: 401 })
 * if (result.event.event === "design.finalized") console.log(result.event.data.preview_url)
 */
export const verify = async (
  request: Received,
  secret: string | readonly string[],
  options?: VerifyOptions,
): Promise<Verified> => {
  // What is wrong when the step that follows fails or throws.
  let reason: Refusal = "missing_header"
  try {
    const { brand = "Service", tolerance = 300, now = Date.now() } = options ?? {}
    const headers = byLowerCase(request.headers)
    let prefix = `x-${brand.toLowerCase()}-`
    const standard = !headers.get(`${prefix}signature`)
    if (standard) prefix = "webhook-"
    const signature = headers.get(`${prefix}signature`)
    const timestamp = headers.get(`${prefix}timestamp`)
    const id = headers.get(`${prefix}id`)
    if (!signature || !timestamp || (standard && !id)) return { ok: false, reason }

    reason = "malformed_header"
    const signatures = signature.slice(0, 4096).match(/(?<=sha256=|v1,)[^\s,]+/g)
    if (!signatures || !/^\d+$/.test(timestamp)) return { ok: false, reason }

    const age = now / 1000 - Number(timestamp)
    reason = `timestamp_too_${age < 0 ? "new" : "old"}`
    if (!(Math.abs(age) <= tolerance)) return { ok: false, reason }

    reason = "malformed_body"
    // A Fetch request has both; its `body` is a stream.
    const body = "arrayBuffer" in request ? await request.arrayBuffer() : request.body
    // A body that is missing has to throw here, as an object that is no bytes does: alone, it would decode to no text.
    const text = typeof body === "string" ? body : decoder.decode(Object(body))

    reason = "signature_mismatch"
    const signed = (standard ? id + "." : "") + timestamp + "." + text
    for (const one of [secret].flat()) {
      const expected = await sign(signed, one, standard).catch(() => "")
      if (signatures.some((candidate) => equal(candidate, expected))) {
        reason = "malformed_body"
        const event = JSON.parse(text)
        if (typeof event.event === "string") return { ok: true, event }
      }
    }
  } catch {}
  return { ok: false, reason }
}

const encoder = new TextEncoder()
/** Fatal, and keeps a byte order mark: so the text stands for exactly the bytes received, and encodes to them again. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A call to WebCrypto costs Node some 50 microseconds of hand-off between threads, a call to its own module 3. */
const node = globalThis.process?.getBuiltinModule?.("node:crypto")

/**
 * The signature that a secret gives to a text; empty where nothing of the secret is secret. Rejects a malformed one. Space
 * around a secret, such as the line feed of `echo`, is no part of it.
 */
const sign = async (text: string, padded: string, standard: boolean): Promise<string> => {
  const secret = padded.trim()
  const base64 = secret.replace("whsec_", "")
  if (!base64) return ""
  const key = standard ? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) : encoder.encode(secret)
  if (node)
    return node
      .createHmac("sha256", node.createSecretKey(key))
      .update(text)
      .digest(standard ? "base64" : "hex")
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)))
  return standard
    ? btoa(String.fromCharCode(...mac))
    : mac.reduce((hex, byte) => hex + (byte + 256).toString(16).slice(1), "")
}

/** Compares every character whatever the others are, so that the time tells nothing of where two texts differ. */
const equal = (left: string, right: string): boolean => {
  let difference = left.length ^ right.length
  for (let at = 0; at < right.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return !difference
}

/** The headers as text, by their lower-case names. One that came several times is joined with commas, as Fetch does. */
const byLowerCase = (headers: FetchHeaders | PlainHeaders): FetchHeaders =>
  headers.get
    ? headers
    : new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value && String(value)]))
