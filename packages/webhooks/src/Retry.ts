/** When a delivery is attempted again: the schedule, and what the answer to one attempt makes of it. */

/** The delays before attempts 1, 2, …, in milliseconds: each runs from the end of the attempt before. */
export type Schedule = readonly number[]

/** What an attempt came to: an answer, with its `Retry-After` header, or the code of the error that came instead. */
export type Outcome =
  | { readonly status: number; readonly retry_after?: string | null | undefined }
  | { readonly error: string }

/** What becomes of the delivery: it is over, for good and all where the receiver is `gone`, or due again after a delay in milliseconds. */
export type Next =
  | { readonly state: "succeeded" }
  | { readonly state: "failed" }
  | { readonly state: "gone" }
  | { readonly state: "pending"; readonly delay: number }

/** A schedule that was read, or what is wrong with its text. */
export type Parsed =
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly message: string }

const units = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
])

/** The most that one delay, or a `Retry-After`, can ask for: 30 days and 24 hours, in milliseconds. */
const longestDelay = 30 * 86_400_000
const longestRetryAfter = 86_400_000

/** The most attempts a schedule can hold. */
const mostAttempts = 100

/** Six attempts over 14 hours and 36 minutes: `0s,1m,5m,30m,2h,12h`. */
export const defaultSchedule: Schedule = [0, 60_000, 300_000, 1_800_000, 7_200_000, 43_200_000]

/** Reads a schedule such as `0s,1m,5m,30m,2h,12h`: whole numbers, each with one of the units ms, s, m, h and d. */
export const parse = (text: string): Parsed => {
  const delays = text.split(",").map((delay) => parseDelay(delay.trim()))
  const wrong = delays.findIndex((delay) => typeof delay === "string")
  if (wrong >= 0) return { ok: false, message: `delay ${wrong + 1} of the schedule: ${delays[wrong]}` }
  if (delays.length > mostAttempts)
    return { ok: false, message: `the schedule has ${delays.length} delays; ${mostAttempts} is the most` }
  return { ok: true, schedule: delays.filter((delay) => typeof delay === "number") }
}

/** A whole number with one of the units ms, s, m, h and d in milliseconds; undefined where the text is none. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit = ""] = /^(\d+)([a-z]*)$/.exec(text) ?? []
  const size = units.get(unit)
  return size === undefined ? undefined : Number(count) * size
}

/** One delay in milliseconds, or what is wrong with it. */
const parseDelay = (text: string): number | string => {
  const delay = parseDuration(text)
  if (delay !== undefined) return delay <= longestDelay ? delay : `"${text}" is longer than 30d`
  if (/^\d+[a-z]*$/.test(text)) return `"${text}" has no unit out of ms, s, m, h and d`
  return `"${text}" is not a whole number and a unit, such as 30s`
}

/** Whether an attempt delivered: any 2xx, and nothing else. Redirects are not followed, so 3xx is a failure. */
export const succeeded = (outcome: Outcome): boolean =>
  "status" in outcome && outcome.status >= 200 && outcome.status <= 299

/**
 * What becomes of a delivery after attempt number `attempt`, counted from 1, ended at `now`, in milliseconds since 1970.
 *
 * A `Retry-After` on 429 and 503 can make the delay longer, up to 24 hours, and never shorter. After 410 Gone no other
 * attempt is made.
 */
export const next = (ended: {
  readonly attempt: number
  readonly outcome: Outcome
  readonly now: number
  readonly schedule?: Schedule | undefined
}): Next => {
  if (succeeded(ended.outcome)) return { state: "succeeded" }
  if ("status" in ended.outcome && ended.outcome.status === 410) return { state: "gone" }
  const delay = (ended.schedule ?? defaultSchedule)[ended.attempt]
  if (delay === undefined) return { state: "failed" }
  return { state: "pending", delay: Math.max(delay, asked(ended.outcome, ended.now)) }
}

/** The delay the receiver asked for, in milliseconds. */
const asked = (outcome: Outcome, now: number): number =>
  "status" in outcome && (outcome.status === 429 || outcome.status === 503)
    ? Math.min(parseRetryAfter(outcome.retry_after ?? "", now), longestRetryAfter)
    : 0

/** `Retry-After` in milliseconds from `now`: seconds, or one of the three forms of an HTTP date. 0 where it is neither. */
export const parseRetryAfter = (text: string, now: number): number => {
  const value = text.trim()
  if (/^\d+$/.test(value)) return Number(value) * 1000
  // Date.parse takes far more than dates; without the zone it would take the local one.
  const date = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(value) ? Date.parse(value.replace(/( GMT)?$/, " GMT")) : NaN
  return date > now ? date - now : 0
}
