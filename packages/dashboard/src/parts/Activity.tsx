/** How an endpoint has done of late, as columns of a list. */
import type { Column } from "./Rows.tsx"
import { Time } from "./Time.tsx"

interface Activity {
  readonly success_rate: number | null
  readonly last_attempt_at: string | null
}

/** A share in percent. It is rounded down, so that nothing is called all of it which is not. */
export const percent = (share: number): string => `${Math.floor(Math.round(share * 1e6) / 1e3) / 10}%`

export const activity: ReadonlyArray<Column<Activity>> = [
  {
    name: "Success, 24 h",
    width: 128,
    cell: ({ success_rate }) => (success_rate === null ? "No attempts" : percent(success_rate)),
  },
  {
    name: "Last attempt",
    width: 132,
    cell: ({ last_attempt_at }) => (last_attempt_at === null ? "None" : <Time at={last_attempt_at} />),
  },
]
