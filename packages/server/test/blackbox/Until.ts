/** Waiting for what has to come: for conditions, never for a time. */

import { vi } from "vitest"

/** How long anything here may take: far longer than it does, so that a slow machine fails no test. */
export const DEADLINE_MS = 60_000
const PAUSE_MS = 15

vi.setConfig({ testTimeout: 4 * DEADLINE_MS, hookTimeout: 4 * DEADLINE_MS })

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Looks until there is something to see, and answers with it. */
export const until = async <A>(
  what: string,
  look: () => A | Promise<A>,
  millis: number = DEADLINE_MS,
): Promise<Exclude<A, undefined | null | false>> => {
  const end = Date.now() + millis
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false) return seen as Exclude<A, undefined | null | false>
    if (Date.now() > end) throw new Error(`Not within ${millis} ms: ${what}`)
    await pause(PAUSE_MS)
  }
}

/** Begins at once, while other tests run; those that are about it wait for its result. */
export const begin = <A>(run: () => Promise<A>): (() => Promise<A>) => {
  const result = run()
  // Whoever asks is told of a failure; until then it is nobody's.
  result.catch(() => {})
  return () => result
}
