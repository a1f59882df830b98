/** The sender of the reference server, over undici. */
import { Value } from "@tc/domain"
import { Target } from "@tc/webhooks"
import { Clock, Effect, Layer } from "effect"
import type { Agent } from "undici"
import { DeliverySettings } from "../DeliverySettings.ts"
import { type Answer, type Request, Sender } from "../Sender.ts"
import { makeAgent } from "./Connector.ts"
import { Exchange, type Result } from "./Exchange.ts"
import { attemptError, Blocked, TimedOut } from "./Failure.ts"
import * as Resolver from "./Resolver.ts"

export interface Options {
  /** How names are looked up. Default: the name servers, then the system. */
  readonly resolve?: Resolver.Resolve | undefined
  /** Certificate authorities in PEM, instead of those that come with Node. */
  readonly ca?: string | undefined
}

/**
 * Connections are kept alive per origin and never shared between two requests at a time.
 *
 * The URL is judged at every attempt, names whenever a connection is opened: to the addresses that were judged, with no
 * look-up in between. A kept connection leads where it was opened to and is used for a minute at most, so a name that is
 * made to lead elsewhere meanwhile gains nothing.
 *
 * A receiver may close a kept connection just as a request goes out on it. Where nothing of an answer has come back, the
 * request is sent once more on a new connection, within the same attempt and deadline. The receiver may have got it
 * twice then; it has the delivery's id to tell.
 */
export const layer = (options: Options = {}): Layer.Layer<Sender> => Layer.effect(Sender, make(options))

const make = Effect.fnUntraced(function* ({ resolve = Resolver.make(), ca }: Options) {
  const { allow_private, timeout_ms } = yield* DeliverySettings
  const clock = yield* Clock.Clock
  const agent = (reuse: boolean) =>
    Effect.acquireRelease(
      Effect.sync(() => makeAgent({ resolve, allow_private, timeout_ms, ca }, reuse)),
      (agent) => Effect.promise(() => agent.destroy()),
    )
  const keeping = yield* agent(true)
  const fresh = yield* agent(false)

  return Sender.of({
    send: (request) =>
      Effect.callback<Answer>((resume) => {
        const started_at = Value.timestamp(clock.currentTimeMillisUnsafe())
        const started = performance.now()
        const cut = post({ keeping, fresh, allow_private, timeout_ms }, request, (result) => {
          const duration_ms = Math.round(performance.now() - started)
          resume(answer(result, { started_at, duration_ms }))
        })
        return Effect.sync(() => cut(new Error("interrupted")))
      }),
  })
})

interface Means {
  readonly keeping: Agent
  readonly fresh: Agent
  readonly allow_private: boolean
  readonly timeout_ms: number
}

/** Sends a request; calls `end` once. Answers how to cut it short. */
const post = (means: Means, request: Request, end: (result: Result) => void): ((error: Error) => void) => {
  const judged = Target.check(request.url, { allowPrivate: means.allow_private })
  if (!judged.ok) {
    end({ error: new Blocked(judged.message) })
    return () => {}
  }
  const { origin, pathname, search } = judged.url
  const { headers, body } = request
  const dispatch = (agent: Agent, exchange: Exchange) =>
    agent.dispatch(
      { origin, path: pathname + search, method: "POST", headers: { ...headers, "accept-encoding": "identity" }, body },
      exchange,
    )
  const last = (result: Result) => {
    clearTimeout(deadline)
    end(result)
  }
  let exchange = new Exchange((result) => {
    const lost = "error" in result && exchange.stale && attemptError(result.error) === "connection_reset"
    if (!lost) return last(result)
    exchange = new Exchange(last)
    dispatch(means.fresh, exchange)
  })
  const deadline = setTimeout(() => exchange.cut(new TimedOut()), means.timeout_ms)
  dispatch(means.keeping, exchange)
  return (error) => exchange.cut(error)
}

const answer = (result: Result, time: Pick<Answer, "started_at" | "duration_ms">): Effect.Effect<Answer> => {
  if ("received" in result) return Effect.succeed({ ...time, ...result.received, error: null })
  const error = attemptError(result.error)
  if (error === null) return Effect.die(result.error)
  return Effect.succeed({ ...time, status_code: null, error, response_excerpt: null, retry_after: null })
}
