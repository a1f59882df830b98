/** One vector, and what vectors are made with. The signatures are made here, with an HMAC of its own, not by the package. */
import { createHash } from "node:crypto"

/** One delivery as it is received, and what a verifier is to make of it. */
export interface Vector {
  readonly name: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The raw body as text, or in base64 where it is not UTF-8. */
  readonly body?: string | undefined
  readonly body_base64?: string | undefined
  /** The verifier's clock: Unix time in seconds. */
  readonly now: number
  /** The brand word, where it is not `Service`, and the tolerance in seconds, where it is not 300. */
  readonly brand?: string | undefined
  readonly tolerance?: number | undefined
  readonly expected: { readonly ok: true; readonly event: string } | { readonly ok: false; readonly reason: string }
}

type Bytes = string | Uint8Array

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

/** HMAC-SHA256 as RFC 2104 describes it. */
export const hmac = (key: Bytes, text: Bytes): Buffer => {
  const bytes = Buffer.from(key)
  const block = Buffer.alloc(64)
  block.set(bytes.length > 64 ? sha256(bytes) : bytes)
  const pad = (byte: number) => block.map((one) => one ^ byte)
  return sha256(Buffer.concat([pad(0x5c), sha256(Buffer.concat([pad(0x36), Buffer.from(text)]))]))
}

export const now = 1_767_225_600
export const id = "0198c0de-7a00-7000-8000-000000000001"

const secretOf = (name: string) => `whsec_${sha256(Buffer.from(name)).toString("base64")}`
export const current = secretOf("current")
export const previous = secretOf("previous")
export const other = secretOf("other")

/** The body of a delivery. */
export const envelope = (data: unknown, event: unknown = "design.finalized"): string =>
  JSON.stringify({ id, event, account_id: id, occurred_at: "2026-01-01T00:00:00.000Z", api_version: "2026-01", data })

export const plain = envelope({ status: "finalized" })

const after = (start: string, body: Bytes) => Buffer.concat([Buffer.from(start), Buffer.from(body)])

/** The signature of a body as it stands in the header of each scheme. */
export const brandSignature = (body: Bytes = plain, secret = current, at: number | string = now): string =>
  `sha256=${hmac(secret, after(`${at}.`, body)).toString("hex")}`
export const standardSignature = (body: Bytes = plain, secret = current, at: number | string = now): string =>
  `v1,${hmac(Buffer.from(secret.slice(6), "base64"), after(`${id}.${at}.`, body)).toString("base64")}`

/** The headers of each scheme, with the signature that fits unless another is given. */
export const brand = (body: Bytes = plain, signature?: string, at: number | string = now): Record<string, string> => ({
  "X-Service-Timestamp": `${at}`,
  "X-Service-Signature": signature ?? brandSignature(body, current, at),
})
export const standard = (
  body: Bytes = plain,
  signature?: string,
  at: number | string = now,
): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": `${at}`,
  "webhook-signature": signature ?? standardSignature(body, current, at),
})

/** What differs from the plain delivery, signed with the current secret in the brand's scheme and received at once. */
type Rest = Partial<Omit<Vector, "name" | "expected" | "body_base64">> & { readonly bytes?: Bytes }

const vector = (name: string, { bytes = plain, ...rest }: Rest, expected: Vector["expected"]): Vector => ({
  name,
  secrets: [current],
  headers: brand(bytes),
  ...(typeof bytes === "string" ? { body: bytes } : { body_base64: Buffer.from(bytes).toString("base64") }),
  now,
  ...rest,
  expected,
})

export const accepted = (name: string, rest: Rest, event = "design.finalized"): Vector =>
  vector(name, rest, { ok: true, event })

export const refused = (reason: string, name: string, rest: Rest): Vector => vector(name, rest, { ok: false, reason })
