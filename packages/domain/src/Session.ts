/** A sign-in to the dashboard, and how long it lasts. */
import { Schema } from "effect"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

/** Bytes of randomness in a token. */
export const TOKEN_BYTES = 32
/** Milliseconds for which a session lasts, however it is used, and without any use. */
export const LASTS_MS = 30 * 86_400_000
export const IDLE_MS = 3 * 86_400_000

/** What is kept of a token: its SHA-256 in hexadecimal. It has 256 random bits, so no slow hash is needed. */
export const hash = (token: string): string => bytesToHex(sha256(utf8ToBytes(token)))

/** The token made of random bytes: base64url, which a cookie and a link can hold. */
export const fromBytes = (random: Uint8Array): string =>
  btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/** A session as kept. */
export const Session = Schema.Struct({
  id: Id.SessionId.id,
  account_id: Id.AccountId.id,
  member_id: Id.MemberId.id,
  token_hash: Schema.String,
  /** When it was last used; up to a minute old. */
  last_seen_at: Value.Timestamp,
  created_at: Value.Timestamp,
}).annotate({ identifier: "Session" })
export type Session = typeof Session.Type

/** When a session ends that is not used any more. */
export const endsAt = ({ created_at, last_seen_at }: Session): string =>
  Value.timestamp(Math.min(Date.parse(created_at) + LASTS_MS, Date.parse(last_seen_at) + IDLE_MS))

/** Whether a session may be used at `now`. */
export const isOpen = (session: Session, now: string): boolean => endsAt(session) > now
