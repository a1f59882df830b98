/** API keys: their format, how they are made and hashed, and what they may do. */
import { Result, Schema } from "effect"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

export const Scope = Schema.Literals(["read", "write", "delete"])
export type Scope = typeof Scope.Type

/** Bytes of randomness in a key. */
export const KEY_BYTES = 32
const FORMAT = /^tc_[0-9a-fA-F]{64}$/

/** Whether a text has the form of a key: `tc_` and 64 hexadecimal characters. */
export const isKey = (text: string): boolean => FORMAT.test(text)

/** The key made of 32 random bytes. */
export const fromBytes = (random: Uint8Array): string => `tc_${bytesToHex(random)}`

/** The 8 characters after `tc_` that tell keys apart without giving them away. */
export const prefixOf = (key: string): string => key.slice(3, 11)

/** What is kept of a key: the SHA-256 of its text, in hexadecimal. A key has 256 random bits, so no slow hash is needed. */
export const hash = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)))

/** Compares two hashes in a time that depends on their length only. */
export const sameHash = (left: string, right: string): boolean => {
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}

/** A key as people see it: never the key itself. */
export const ApiKey = Schema.Struct({
  id: Id.ApiKeyId.id,
  account_id: Id.AccountId.id,
  name: Value.Name,
  prefix: Schema.String,
  scopes: Schema.Array(Scope).check(Schema.isMinLength(1)),
  expires_at: Schema.NullOr(Value.Timestamp),
  revoked_at: Schema.NullOr(Value.Timestamp),
  last_used_at: Schema.NullOr(Value.Timestamp),
  created_at: Value.Timestamp,
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** A key as stored: with its hash. */
export const Row = Schema.Struct({ ...ApiKey.fields, hash: Schema.String })
export type Row = typeof Row.Type

/** Why a key that exists is not accepted. */
export type Refusal = "expired" | "revoked"

/** Whether a key may be used at `now`. */
export const usable = (key: ApiKey, now: string): Result.Result<ApiKey, Refusal> => {
  if (key.revoked_at !== null) return Result.fail("revoked")
  return key.expires_at !== null && key.expires_at <= now ? Result.fail("expired") : Result.succeed(key)
}

/** The scope that an HTTP method needs. */
export const scopeOf = (method: string): Scope => {
  if (method === "GET" || method === "HEAD") return "read"
  return method === "DELETE" ? "delete" : "write"
}
