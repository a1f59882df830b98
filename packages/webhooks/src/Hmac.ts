/** HMAC-SHA256 (RFC 2104) of many messages under one key, for the signer: it is most of what a delivery costs but for sending it. */

/** What this needs of `node:crypto`. */
type Crypto = Pick<typeof import("node:crypto"), "createHmac" | "createSecretKey" | "hash">

/** Signs a text with bytes after it. */
export type Hmac = (start: string, body: Uint8Array) => string

/** Bytes that SHA-256 takes at a time. */
const BLOCK_BYTES = 64
const HASH_BYTES = 32
/** Bytes of a message that are put together to be hashed at once. */
const AT_ONCE_MAX_BYTES = 64 * 1024
/** Bytes that one character of a string takes in UTF-8 at most. */
const WIDEST = 3

/** Where messages are put together, for all keys: nothing is awaited meanwhile. Made when it is needed. */
let shared: Buffer | undefined

/** `createHmac` makes an object for each message, of which node keeps track; to hash twice at once takes half the time. */
export const make = (node: Crypto, secret: Uint8Array, encoding: "hex" | "base64"): Hmac => {
  const key = node.createSecretKey(secret)
  const stream: Hmac = (start, body) => node.createHmac("sha256", key).update(start).update(body).digest(encoding)
  // Node has it since 20.12.
  if (typeof node.hash !== "function") return stream
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(secret.length > BLOCK_BYTES ? node.hash("sha256", secret, "buffer") : secret)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES)
  outer.set(block.map((byte) => byte ^ 0x5c))
  return (start, body) => {
    if (BLOCK_BYTES + start.length * WIDEST + body.length > AT_ONCE_MAX_BYTES) return stream(start, body)
    shared ??= Buffer.alloc(AT_ONCE_MAX_BYTES)
    shared.set(inner)
    const at = BLOCK_BYTES + shared.write(start, BLOCK_BYTES)
    shared.set(body, at)
    outer.write(node.hash("sha256", shared.subarray(0, at + body.length), "binary"), BLOCK_BYTES, "latin1")
    return node.hash("sha256", outer, encoding)
  }
}
