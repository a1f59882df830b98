/** A moment: how long ago in the text; in the reader's zone and in UTC, to the second, for who points at it or tabs to it. */
import { Text, Tooltip } from "@mantine/core"
import { useSyncExternalStore } from "react"
import type { Column } from "./Rows.tsx"

const DAY = 86_400
const units = [
  ["minute", 60],
  ["hour", 3600],
  ["day", DAY],
] as const

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" })
const local = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" })

/** How long ago `at` is at `now`, both in milliseconds, or how far ahead; the date where that is a month or more. */
export const ago = (at: number, now: number): string => {
  const seconds = Math.round((at - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 45) return seconds > 0 ? "in a moment" : "just now"
  if (size >= 30 * DAY) return day.format(at)
  const [unit, length] = units.findLast(([, length]) => size >= length) ?? units[0]
  // What is to come is a length that somebody has chosen, less a moment: `in 24 hours` is no lie for that.
  const count = seconds > 0 ? Math.round(seconds / length) : Math.trunc(seconds / length)
  return relative.format(count || Math.sign(seconds), unit)
}

/** The same moment in UTC, to the second. */
export const utc = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

/** Has something looked at again every so many milliseconds. */
const each =
  (millis: number) =>
  (changed: () => void): (() => void) => {
    const timer = setInterval(changed, millis)
    return () => clearInterval(timer)
  }

// A clock in steps, so that all times of the page are drawn again together. It is ahead rather than behind: what happened
// a moment ago would be told as still to come.
const STEP_MS = 20_000
const eachStep = each(STEP_MS)
const step = (): number => Math.ceil(Date.now() / STEP_MS) * STEP_MS

/** The time, to within 20 seconds ahead; whoever asks is drawn again as it passes. */
export const useNow = (): number => useSyncExternalStore(eachStep, step)

const SECOND_MS = 1_000
const eachSecond = each(SECOND_MS)
const second = (): number => Math.floor(Date.now() / SECOND_MS) * SECOND_MS

/** The time to within a second, for what is about to happen. */
export const usePresent = (): number => useSyncExternalStore(eachSecond, second)

interface Props {
  readonly at: string
  /** What is said of it instead of how long ago it was. */
  readonly said?: string
}

export const Time = ({ at, said }: Props) => {
  const now = useNow()
  const exact = (
    <>
      <Text size="xs">{local.format(Date.parse(at))}</Text>
      <Text size="xs" className="mono">
        {utc(at)}
      </Text>
    </>
  )
  return (
    <Tooltip label={exact} withArrow>
      {/* Who has no mouse gets to the exact time with the Tab key. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <time className="time" dateTime={at} tabIndex={0}>
        {said ?? ago(Date.parse(at), now)}
      </time>
    </Tooltip>
  )
}

/** When a record was created, as a column of a list. */
export const created: Column<{ readonly created_at: string }> = {
  name: "Created",
  width: 132,
  cell: ({ created_at }) => <Time at={created_at} />,
}
