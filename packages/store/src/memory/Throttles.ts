/** Throttles in memory. */
import { Effect, Layer, Result } from "effect"
import * as Service from "../Throttles.ts"
import { Memory } from "./Memory.ts"

export const layer = Layer.effect(
  Service.Throttles,
  Effect.map(Memory, ({ step, throttles }) =>
    Service.Throttles.of({
      take: (limits, window_ms) =>
        step((millis) => {
          for (const { key } of limits) {
            const window = throttles.get(key)
            const isOver = window === undefined || window.over_at <= millis
            throttles.set(
              key,
              isOver ? { tries: 1, over_at: millis + window_ms } : { ...window, tries: window.tries + 1 },
            )
          }
          return Result.succeed(Service.comeBackAt(limits, throttles))
        }),
      prune: step((millis) => {
        const over = [...throttles].filter(([, { over_at }]) => over_at <= millis)
        for (const [key] of over) throttles.delete(key)
        return Result.succeed(over.length)
      }),
    }),
  ),
)
