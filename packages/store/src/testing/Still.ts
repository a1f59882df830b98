/** A clock on which only sleeping takes time: what is to happen before something ends does so however slow a machine is. */
import { Clock, Duration, Effect } from "effect"
import { moved } from "./Stage.ts"

/** Runs a test on such a clock, from the present moment on. Sleeps last as long as they say, and pass as much time. */
export const still = <A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Clock.clockWith((live) => {
    let now = live.currentTimeMillisUnsafe()
    const sleep: Clock.Clock["sleep"] = (duration) =>
      Effect.tap(live.sleep(duration), () => Effect.sync(() => void (now += Duration.toMillis(duration))))
    return Effect.provideService(
      test,
      Clock.Clock,
      moved(live, () => now, sleep),
    )
  })
