/** Signs deliveries, in both schemes at once, and writes all headers of one. */
import * as Hmac from "./Hmac.ts"
import * as Scheme from "./Scheme.ts"

/** What is signed: the delivery's id, the time and the raw body. */
export type Message = Scheme.Message

/** One attempt at a delivery. */
export interface Attempt extends Message {
  /** The name of the event. */
  readonly event: string
}

/** The signatures of one message, as they stand in the headers. */
export interface Signatures {
  readonly brand: string
  readonly standard: string
}

/** What may differ from the defaults. */
export interface Options {
  /** The brand word in the header names and in `User-Agent`: letters, digits and hyphens. Default `Service`. */
  readonly brand?: string | undefined
}

/** Signs for one endpoint. */
export interface Signer {
  /** The signatures of one message. */
  readonly sign: (message: Message) => Signatures
  /** All headers of one attempt. */
  readonly headers: (attempt: Attempt) => Readonly<Record<string, string>>
}

/**
 * A signer with its keys made once, for tens of thousands of deliveries a second. It signs with every secret given: with
 * the new one and the old, while one is replaced by the other.
 *
 * It needs `node:crypto`, and throws where there is none: `sign` and `headers` of this module do the same asynchronously, on
 * any runtime. Throws a TypeError where a secret or the brand is malformed.
 */
export const make = (secret: string | readonly string[], options?: Options): Signer => {
  const node = globalThis.process?.getBuiltinModule?.("node:crypto")
  if (!node) throw new Error("There is no node:crypto here. Use Signer.headers, which is asynchronous.")
  const secrets = list(secret)
  const write = writer(options)
  const signWith = (scheme: Scheme.Scheme) => {
    const macs = secrets.map((one) => Hmac.make(node, Scheme.key(scheme, one), scheme.encoding))
    return (message: Message, body: Uint8Array) => {
      const start = scheme.start(message)
      return scheme.header(macs.map((mac) => mac(start, body)))
    }
  }
  const brand = signWith(Scheme.brand)
  const standard = signWith(Scheme.standard)
  const sign = (message: Message): Signatures => {
    const body = bytes(message.body)
    return { brand: brand(message, body), standard: standard(message, body) }
  }
  return { sign, headers: (attempt) => write(attempt, sign(attempt)) }
}

/** Signs one message, on any runtime with WebCrypto. Rejects with a TypeError where a secret is malformed. */
export const sign = async (message: Message, secret: string | readonly string[]): Promise<Signatures> => {
  const secrets = list(secret)
  const body = bytes(message.body)
  const signWith = async (scheme: Scheme.Scheme) => {
    const text = concat(bytes(scheme.start(message)), body)
    const macs = await Promise.all(secrets.map((one) => hmac(Scheme.key(scheme, one), text)))
    return scheme.header(macs.map((mac) => (scheme.encoding === "hex" ? hex(mac) : btoa(String.fromCharCode(...mac)))))
  }
  return { brand: await signWith(Scheme.brand), standard: await signWith(Scheme.standard) }
}

/** All headers of one attempt, on any runtime with WebCrypto. Rejects as `sign` does, and where the brand is malformed. */
export const headers = async (
  attempt: Attempt,
  secret: string | readonly string[],
  options?: Options,
): Promise<Readonly<Record<string, string>>> => writer(options)(attempt, await sign(attempt, secret))

/** Writes the headers of attempts. */
const writer = ({ brand = "Service" }: Options = {}) => {
  if (!/^[a-z][a-z\d-]*$/i.test(brand)) throw new TypeError(`"${brand}" cannot stand in the name of a header.`)
  // Once: names that are put together anew for each attempt cost as much as half a signature.
  const event = `X-${brand}-Event`
  const delivery = `X-${brand}-Delivery`
  const time = `X-${brand}-Timestamp`
  const signature = `X-${brand}-Signature`
  const agent = `${brand}-Webhooks/1.0`
  return (attempt: Attempt, signatures: Signatures): Readonly<Record<string, string>> => ({
    "Content-Type": "application/json",
    "User-Agent": agent,
    [event]: attempt.event,
    [delivery]: attempt.id,
    [time]: `${attempt.timestamp}`,
    [signature]: signatures.brand,
    "webhook-id": attempt.id,
    "webhook-timestamp": `${attempt.timestamp}`,
    "webhook-signature": signatures.standard,
  })
}

const list = (secret: string | readonly string[]): readonly string[] => {
  const secrets = [secret].flat()
  if (secrets.length === 0) throw new TypeError("There is no secret to sign with.")
  return secrets
}

const bytes = (text: string | Uint8Array): Uint8Array =>
  typeof text === "string" ? new TextEncoder().encode(text) : text

const concat = (left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(left.length + right.length)
  both.set(left)
  both.set(right, left.length)
  return both
}

const hmac = async (key: Uint8Array<ArrayBuffer>, text: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, text))
}

const hex = (mac: Uint8Array): string => Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("")
