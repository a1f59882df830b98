/** Places for tests of endpoints: each test holds a socket for as long as its receiver likes, up to the timeout. */
import { Errors } from "@tc/api"
import type { Endpoint } from "@tc/store"
import { Effect, Fiber, FiberSet } from "effect"
import * as Lane from "../Lane.ts"

/** Tests of one endpoint at once, at most, and of all. */
const PER_ENDPOINT_MAX = 2
const ALL_MAX = 32

const refused = (message: string) => Effect.fail(new Errors.ServiceUnavailable({ message }))

/** Places of this process. Tests that are under way when the scope closes are broken off. */
export const make = Effect.gen(function* () {
  const tests = yield* FiberSet.make()
  const under_way = new Map<string, number>()
  let all = 0

  const leave = (name: string): void => {
    const left = (under_way.get(name) ?? 1) - 1
    if (left > 0) under_way.set(name, left)
    else under_way.delete(name)
    all -= 1
  }

  /** Takes a place, where there is one. */
  const enter = (name: string): Effect.Effect<void, Errors.ServiceUnavailable> =>
    Effect.suspend(() => {
      const its = under_way.get(name) ?? 0
      if (its >= PER_ENDPOINT_MAX) {
        return refused(`${its} tests of this endpoint are under way. Try again when one of them has ended.`)
      }
      if (all >= ALL_MAX) return refused("Too many tests are under way. Try again later.")
      under_way.set(name, its + 1)
      all += 1
      return Effect.void
    })

  return {
    /** Runs a test of an endpoint, unless too many are under way. */
    run: <A, R>(endpoint: Endpoint, test: Effect.Effect<A, never, R>) => {
      const name = Lane.nameOf(endpoint)
      const left = Effect.sync(() => leave(name))
      return Effect.acquireUseRelease(
        enter(name),
        () =>
          Effect.flatMap(FiberSet.run(tests, test), (fiber) =>
            Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber)),
          ),
        () => left,
      )
    },
  }
})
