/**
 * A browser in which a member has signed in before: what it keeps, so that it goes before strangers. It is sealed with the hash of
 * the member's password, which nobody else has, and so it ends with that password.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as ApiKey from "./ApiKey.ts"
import type { Row } from "./Member.ts"

/** Milliseconds for which a browser is known after a sign-in. */
export const LASTS_MS = 180 * 86_400_000

/** Milliseconds since 1970 at which it ends, an id as `Session.fromBytes` makes it, and the seal over both. */
const FORMAT = /^(\d{13,15})\.([A-Za-z0-9_-]{43})\.([0-9a-f]{64})$/

export type Of = Pick<Row, "email" | "password_hash">

const seal = ({ email, password_hash }: Of, ends_at: string, id: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(password_hash), utf8ToBytes(`device\n${ends_at}\n${id}\n${email}`)))

/** What a browser keeps in which a member has just signed in; `id` is random. */
export const make = (member: Of, id: string, millis: number): string => {
  const ends_at = String(millis + LASTS_MS)
  return `${ends_at}.${id}.${seal(member, ends_at, id)}`
}

/** Whether a text has the form of what `make` makes. */
export const isDevice = (text: string): boolean => FORMAT.test(text)

/** The id of the device where it is one of a member at `millis`; null where it is not. */
export const idOf = (text: string, member: Of, millis: number): string | null => {
  const [, ends_at = "0", id = "", given = ""] = FORMAT.exec(text) ?? []
  const isRight = ApiKey.sameHash(given, seal(member, ends_at, id))
  return isRight && Number(ends_at) > millis ? id : null
}
