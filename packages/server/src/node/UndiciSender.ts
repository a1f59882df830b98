/** The sender of the reference server, over undici. */
import { Value } from "@tc/domain"
import { Target } from "@tc/webhooks"
import { Clock, Effect, Layer } from "effect"
import { DeliverySettings } from "../DeliverySettings.ts"
import { type Answer, type Request, Sender } from "../Sender.ts"
import * as Connections from "./Connections.ts"
import { Exchange, type Result } from "./Exchange.ts"
import { attemptError, Blocked, Interrupted, TimedOut } from "./Failure.ts"
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
 * look-up in between. A kept connection leads where it was opened to and is given no request after a minute, so a name
 * that is made to lead elsewhere meanwhile gains nothing.
 *
 * A receiver may close a kept connection just as a request goes out on it. Where nothing of an answer has come back, the
 * request is sent once more on a new connection, within the same attempt and deadline. The receiver may have got it
 * twice then; it has the delivery's id to tell. What closes later has had the request, and thought about it.
 */
export const layer = (options: Options = {}): Layer.Layer<Sender> => Layer.effect(Sender, make(options))

/** Milliseconds within which one hears that a kept connection had been closed: more than any way there and back. */
const STALE_MS = 500

const make = Effect.fnUntraced(function* ({ resolve = Resolver.make(), ca }: Options) {
  const { allow_private, timeout_ms } = yield* DeliverySettings
  const clock = yield* Clock.Clock
  const connections = yield* Effect.acquireRelease(
    Effect.sync(() => Connections.make({ resolve, allow_private, timeout_ms, ca })),
    ({ destroy }) => Effect.sync(destroy),
  )

  return Sender.of({
    send: (request) =>
      Effect.callback<Answer>((resume) => {
        const judged = Target.check(request.url, { allow_private })
        const started_at = Value.timestamp(clock.currentTimeMillisUnsafe())
        const started = performance.now()
        const end = (result: Result) =>
          resume(answer(result, { started_at, duration_ms: Math.round(performance.now() - started) }))
        if (!judged.ok) return end({ error: new Blocked(judged.message) })
        const cut = post(connections, judged.url, request, timeout_ms, end)
        return Effect.sync(() => cut(new Interrupted()))
      }),
  })
})

/** Sends a request; calls `end` once. Answers how to cut it short. */
const post = (
  connections: Connections.Connections,
  { origin, pathname, search }: URL,
  { headers, body }: Request,
  timeout_ms: number,
  end: (result: Result) => void,
): ((error: Error) => void) => {
  const path = pathname + search
  const options = { method: "POST", path, headers: { ...headers, "accept-encoding": "identity" }, body }
  let current: Exchange | undefined
  const deadline = setTimeout(() => current?.cut(new TimedOut()), timeout_ms)
  const dispatch = (fresh: boolean): void => {
    const connection = connections.take(origin, fresh)
    const sent = performance.now()
    current = new Exchange(({ stale }, result, whole) => {
      connections.give(connection, whole)
      const reset = "error" in result && attemptError(result.error) === "connection_reset"
      if (stale && reset && performance.now() - sent < STALE_MS) return dispatch(true)
      clearTimeout(deadline)
      end(result)
    })
    connection.dispatch(options, current)
  }
  dispatch(false)
  return (error) => current?.cut(error)
}

const answer = (result: Result, time: Pick<Answer, "started_at" | "duration_ms">): Effect.Effect<Answer> => {
  if ("received" in result) return Effect.succeed({ ...time, ...result.received, error: null })
  const error = attemptError(result.error)
  if (error === null) return Effect.die(result.error)
  return Effect.succeed({ ...time, status_code: null, error, response_excerpt: null, retry_after: null })
}
