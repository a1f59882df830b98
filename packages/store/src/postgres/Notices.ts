/** What processes on one database tell each other: that deliveries wait, and that an endpoint was changed. */
import { Id } from "@tc/domain"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Handoff, type Receiver } from "../Handoff.ts"

/** The channel for `LISTEN`. */
export const CHANNEL = "tc"

/** Milliseconds between two notifications: each takes a lock that all commits of the server need. */
const PAUSE_MS = 50
/** Endpoints told of in one go; of those beyond, others learn when their leases end. */
const ENDPOINTS_MAX = 1_000

/** The payload that says that deliveries wait; any other is an endpoint. */
const WAITING = ""

const isAccount = Schema.is(Id.AccountId.id)
const isEndpoint = Schema.is(Id.WebhookEndpointId.id)

/** Acts on the payload of a notification as on what happens in this process. */
export const receive = (handoff: Pick<Receiver, "wake" | "recall">, payload: string): void => {
  if (payload === WAITING) return handoff.wake()
  const [account_id, endpoint_id] = payload.split("/")
  if (isAccount(account_id) && isEndpoint(endpoint_id)) handoff.recall({ account_id, endpoint_id })
}

/**
 * Tells the dispatcher of this process at once, and all others soon after. By a statement of its own, not in the
 * transaction that it is about: a notification in each would have all commits wait for one another. Where it is lost, the
 * others find out as without it, when they look by themselves.
 */
export class Notices extends Context.Service<Notices, Pick<Receiver, "wake" | "recall">>()(
  "@tc/store/postgres/Notices",
) {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const handoff = yield* Handoff
      const fork = Effect.runForkWith(yield* Effect.context())
      const untold = new Set<string>()
      let telling = false

      const send = Effect.suspend(() => {
        const payloads = [...untold]
        untold.clear()
        return sql`SELECT pg_notify(${CHANNEL}, payload) FROM unnest(${payloads}::text[]) AS payload`
      }).pipe(Effect.ignore, Effect.andThen(Effect.sleep(PAUSE_MS)))

      const tell = (payload: string): void => {
        if (untold.size < ENDPOINTS_MAX) untold.add(payload)
        if (telling) return
        telling = true
        fork(Effect.whileLoop({ while: () => (telling = untold.size > 0), body: () => send, step: () => {} }))
      }

      return {
        wake: () => {
          handoff.wake()
          tell(WAITING)
        },
        recall: (endpoint) => {
          handoff.recall(endpoint)
          tell(`${endpoint.account_id}/${endpoint.endpoint_id}`)
        },
      }
    }),
  )
}
