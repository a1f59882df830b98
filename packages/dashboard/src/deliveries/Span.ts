/** The span of time of which deliveries are shown: the last so many hours, or from one moment to another. */
import { isNameIn } from "../parts/Address.ts"

const HOUR_MS = 3_600_000

/** What can be chosen, and how many milliseconds back it reaches; null where the reader says it themselves. */
export const spans = {
  hour: { label: "The last hour", ms: HOUR_MS },
  day: { label: "The last 24 hours", ms: 24 * HOUR_MS },
  week: { label: "The last 7 days", ms: 7 * 24 * HOUR_MS },
  custom: { label: "From … to …", ms: null },
} as const satisfies Record<string, { label: string; ms: number | null }>

export interface Span {
  readonly within?: keyof typeof spans
  /** Moments in UTC, for `custom`: each may be left open. */
  readonly since?: string
  readonly until?: string
}

const isMoment = (value: unknown): value is string => typeof value === "string" && !Number.isNaN(Date.parse(value))

/** The part of an address that is a span of time. */
export const spanSearch = ({ within, since, until }: Record<string, unknown>): Span => {
  if (!isNameIn(spans, within)) return {}
  if (within !== "custom") return { within }
  return { within, ...(isMoment(since) ? { since } : {}), ...(isMoment(until) ? { until } : {}) }
}

/** What the server is asked for at `now`. */
export const bounds = ({ within, since, until }: Span, now: number): Omit<Span, "within"> => {
  const back = within === undefined ? null : spans[within].ms
  if (back !== null) return { since: new Date(now - back).toISOString() }
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

const MINUTE_MS = 60_000

/** A moment as an input of the reader's own time has it, to the minute; empty where there is none. */
export const toInput = (moment: string): string => {
  if (moment === "") return ""
  const at = Date.parse(moment)
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** The first moment of what such an input says, or the last: a minute is meant as a whole. Empty where it says nothing. */
export const fromInput = (value: string, end: "first" | "last"): string => {
  const at = new Date(value).getTime()
  if (Number.isNaN(at)) return ""
  return new Date(end === "first" ? at : at + MINUTE_MS - 1).toISOString()
}
