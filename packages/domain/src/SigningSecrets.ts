/** The signing secrets of an endpoint as the one text that is stored: the present one, and those it replaced that sign beside it. */
import * as Limits from "./Limits.ts"

/** A secret, encrypted as it is, and until when it signs: milliseconds since 1970, `Infinity` for the present one. */
export interface SigningSecret {
  readonly secret: string
  readonly until: number
}

/** No encrypted secret has one of these in it. */
const [BETWEEN, UNTIL, SINCE] = [" ", "@", "#"]

/** All of them, the newest first, those included that sign no more. One that replaced none is its own text. */
export const all = (text: string): ReadonlyArray<SigningSecret> =>
  text.split(BETWEEN).map((part) => {
    const [secret = "", until] = part.split(UNTIL)
    return { secret: secret.split(SINCE, 1)[0] ?? "", until: until === undefined ? Infinity : Number(until) }
  })

/** Since when the present one signs, in milliseconds since 1970; 0 where it replaced none. What signed before is not all known. */
export const presentSince = (text: string): number => Number(text.split(BETWEEN, 1)[0]?.split(SINCE)[1] ?? 0)

/** When the last of those it replaced signs no more, in milliseconds since 1970; null where there is none. */
export const overlapUntil = (text: string): number | null => {
  const [, ...previous] = all(text)
  return previous.length === 0 ? null : Math.max(...previous.map(({ until }) => until))
}

/** Those that sign at a time, in milliseconds since 1970: each to the millisecond before its end. */
export const valid = (text: string, now: number): ReadonlyArray<SigningSecret> =>
  all(text).filter(({ until }) => now < until)

/** The present one. */
export const present = (text: string): string => all(text)[0]?.secret ?? ""

/**
 * The text after a rotation. The present secret signs for the overlap, those replaced before until their own ends; without
 * an overlap the new one alone signs. Undefined where more would sign than there may be.
 */
export const rotate = (text: string, next: string, now: number, overlap_ms: number): string | undefined => {
  const until = now + overlap_ms
  const previous = overlap_ms === 0 ? [] : valid(text, now)
  if (previous.length >= Limits.SIGNING_SECRETS_MAX) return undefined
  const kept = previous.map((one) => `${one.secret}${UNTIL}${one.until === Infinity ? until : one.until}`)
  return [`${next}${SINCE}${now}`, ...kept].join(BETWEEN)
}
