/** The sender of the reference server, over undici. */
import { Target } from "@tc/webhooks"
import { Effect, Layer } from "effect"
import { DeliverySettings } from "../DeliverySettings.ts"
import { Recent } from "../Recent.ts"
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
  /** Milliseconds within which one hears that a kept connection had been closed. Default: 500, more than any way there and back. */
  readonly stale_ms?: number | undefined
}

/**
 * Connections are kept alive per origin and never shared between two requests at a time.
 *
 * Every attempt goes where its URL was judged to lead. Names are judged whenever a connection is opened: to the addresses
 * that were judged, with no look-up in between. A kept connection leads where it was opened to and is given no request
 * after a minute, so a name that is made to lead elsewhere meanwhile gains nothing.
 *
 * A receiver may close a kept connection just as a request goes out on it. Where nothing of an answer has come back, the
 * request is sent once more on a new connection, within the same attempt and deadline. The receiver may have got it
 * twice then; it has the delivery's id to tell. What closes later has had the request, and thought about it.
 */
export const layer = (options: Options = {}): Layer.Layer<Sender> => Layer.effect(Sender, make(options))

/** URLs of which it is kept what they lead to; each may have 2,048 characters. */
const TARGETS_MAX = 4_096
const STALE_MS = 500

/** What a connection has to know of a URL. */
interface Place {
  readonly origin: string
  readonly path: string
}

const placeOf = ({ origin, pathname, search }: URL): Place => ({ origin, path: pathname + search })

const make = Effect.fnUntraced(function* ({ resolve = Resolver.make(), ca, stale_ms = STALE_MS }: Options) {
  const { allow_private, timeout_ms } = yield* DeliverySettings
  const connections = yield* Effect.acquireRelease(
    Effect.sync(() => Connections.make({ resolve, allow_private, timeout_ms, ca })),
    ({ destroy }) => Effect.sync(destroy),
  )

  /** By URL: the same is always judged alike. */
  const targets = new Recent<Place | Blocked>(TARGETS_MAX)
  const targetOf = (text: string): Place | Blocked => {
    const known = targets.get(text)
    if (known !== undefined) return known
    const judged = Target.check(text, { allow_private })
    const target = judged.ok ? placeOf(judged.url) : new Blocked(judged.message)
    targets.set(text, target)
    return target
  }

  return Sender.of({
    send: (request) =>
      Effect.callback<Answer>((resume) => {
        const target = targetOf(request.url)
        const { started_at } = request
        const started = performance.now()
        const end = (result: Result) =>
          resume(answer(result, { started_at, duration_ms: Math.round(performance.now() - started) }))
        if (target instanceof Blocked) return end({ error: target })
        const cut = post(connections, target, request, { timeout_ms, stale_ms }, end)
        return Effect.sync(() => cut(new Interrupted()))
      }),
  })
})

/** Sends a request; calls `end` once. Answers how to cut it short. */
const post = (
  connections: Connections.Connections,
  { origin, path }: Place,
  { headers, body }: Request,
  { timeout_ms, stale_ms }: { readonly timeout_ms: number; readonly stale_ms: number },
  end: (result: Result) => void,
): ((error: Error) => void) => {
  const options = { method: "POST", path, headers: { ...headers, "accept-encoding": "identity" }, body }
  let current: Exchange | undefined
  const deadline = setTimeout(() => current?.cut(new TimedOut()), timeout_ms)
  const dispatch = (fresh: boolean): void => {
    const connection = connections.take(origin, fresh)
    const sent = performance.now()
    current = new Exchange(({ stale }, result, whole) => {
      connections.give(connection, whole)
      const reset = "error" in result && attemptError(result.error) === "connection_reset"
      if (stale && reset && performance.now() - sent < stale_ms) return dispatch(true)
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
