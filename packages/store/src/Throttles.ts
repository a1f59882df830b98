/** How often something was tried, counted for all processes together: so that nobody can guess passwords for long. */
import { Context, type Effect } from "effect"

/** What is counted, and how many times it may be tried in a window. */
export interface Limit {
  /** Such as `person:ada@example.com`; of no account. */
  readonly key: string
  readonly most: number
}

/** How often a key was tried in its window, and when that is over, in milliseconds since 1970. */
export interface Window {
  readonly tries: number
  readonly over_at: number
}

/** When to come back, given the windows with the tries at hand in them; null where nothing was tried too often. */
export const comeBackAt = (limits: ReadonlyArray<Limit>, windows: ReadonlyMap<string, Window>): number | null => {
  const over = limits.flatMap(({ key, most }) => {
    const window = windows.get(key)
    return window !== undefined && window.tries > most ? [window.over_at] : []
  })
  return over.length === 0 ? null : Math.max(...over)
}

export class Throttles extends Context.Service<
  Throttles,
  {
    /**
     * Counts one try for each of these, and answers when to come back, in milliseconds since 1970, where one of them has been
     * tried more often than it may be, the latest time where several have; null where none has. A window begins with the
     * first try, and is over after `window_ms`. Tries at the same moment are all counted.
     */
    readonly take: (limits: ReadonlyArray<Limit>, window_ms: number) => Effect.Effect<number | null>
    /** Removes windows that are over. Answers how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@tc/store/Throttles") {}
