/** The two ways in which every delivery is signed: each an HMAC-SHA256 over a short text and the raw body after it. */
import * as Secret from "./Secret.ts"

/** What is signed. */
export interface Message {
  /** The delivery's id, the same on every attempt. */
  readonly id: string
  /** When this attempt is signed: Unix time in whole seconds. */
  readonly timestamp: number
  /** The raw body, exactly as it is sent. */
  readonly body: string | Uint8Array
}

/** What one scheme does its own way. */
export interface Scheme {
  /** The bytes that key the HMAC; undefined where this is no secret. */
  readonly key: (secret: string) => Uint8Array<ArrayBuffer> | undefined
  /** What is signed before the body. */
  readonly start: (message: Message) => string
  /** How the 32 bytes of a signature are written. */
  readonly encoding: "hex" | "base64"
  /** The header: one signature for each secret. */
  readonly header: (signatures: readonly string[]) => string
}

/** The service's own, `sha256=<hex>` over `<timestamp>.<body>`. The key is the secret as it is written, prefix and all. */
export const brand: Scheme = {
  key: (secret) => Secret.decode(secret) && new TextEncoder().encode(secret),
  start: (message) => `${message.timestamp}.`,
  encoding: "hex",
  header: (signatures) => signatures.map((signature) => `sha256=${signature}`).join(","),
}

/** That of Standard Webhooks, `v1,<base64>` over `<id>.<timestamp>.<body>`. The key is what the secret encodes. */
export const standard: Scheme = {
  key: Secret.decode,
  start: (message) => `${message.id}.${message.timestamp}.`,
  encoding: "base64",
  header: (signatures) => signatures.map((signature) => `v1,${signature}`).join(" "),
}

/** The key that a secret gives. Throws a TypeError, which does not repeat it, where it is no secret. */
export const key = (scheme: Scheme, secret: string): Uint8Array<ArrayBuffer> => {
  const bytes = scheme.key(secret)
  if (bytes === undefined) throw new TypeError("A signing secret is whsec_ and 24 to 64 bytes in base64.")
  return bytes
}
