/** Steps of time in the reader's zone, as the charts and their tables tell them. */
const DAY_SECONDS = 86_400

const time = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
const day = new Intl.DateTimeFormat("en", { weekday: "short", day: "numeric" })
const date = new Intl.DateTimeFormat("en", { weekday: "short", day: "numeric", month: "short" })

/** A step from its beginning to its end, both in seconds since 1970: `Sun, Nov 22, 14:00–14:15`. */
export const span = (from: number, seconds: number): string =>
  `${date.format(from * 1_000)}, ${time.format(from * 1_000)}–${time.format((from + seconds) * 1_000)}`

/** What stands at a mark of the axis: the time, or the day where marks are as far apart. */
export const mark = (at: number, apart: number): string => (apart < DAY_SECONDS ? time : day).format(at * 1_000)
