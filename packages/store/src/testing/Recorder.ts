/** The receiving end of the hand-over, as a test sees it. */
import type { Errors, Id, WebhookEndpoint } from "@tc/domain"
import { Context, Effect, Layer } from "effect"
import type { Endpoint, Job } from "../Deliveries.ts"
import { Handoff } from "../Handoff.ts"
import type { Services } from "../Services.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

/** A receiver that remembers, and has room for as long as it is told so. */
export class Recorder extends Context.Service<
  Recorder,
  {
    readonly handoff: Handoff
    /** Starts over: with this lease, or with room for none, and deliveries that wait for so long. */
    readonly start: (lease_ms: number | null, delay_ms?: number) => void
    readonly offered: ReadonlyArray<Job>
    readonly woken: () => number
    readonly recalled: ReadonlyArray<Endpoint>
  }
>()("@tc/store/testing/Recorder") {
  static readonly layer = Layer.sync(Recorder, () => {
    const offered: Array<Job> = []
    const recalled: Array<Endpoint> = []
    let lease_ms: number | null = null
    let delay_ms = 0
    let wakes = 0
    const handoff: Handoff = {
      get delay_ms() {
        return delay_ms
      },
      lease: (now) => (lease_ms === null ? null : { lease: crypto.randomUUID(), lease_until: now + lease_ms }),
      offer: (jobs) => void offered.push(...jobs),
      wake: () => void (wakes += 1),
      recall: (endpoint) => void recalled.push(endpoint),
    }
    const start = (lease: number | null, delay = 0) => {
      lease_ms = lease
      delay_ms = delay
      wakes = 0
      offered.length = 0
      recalled.length = 0
    }
    return { handoff, start, offered, woken: () => wakes, recalled }
  })

  /** The recorder, and the hand-over to it of a storage that is built on it. */
  static readonly layerHandoff = Layer.effect(
    Handoff,
    Effect.map(Recorder, ({ handoff }) => handoff),
  ).pipe(Layer.provideMerge(Recorder.layer))
}

/** An account with an endpoint, and the receiver started over. */
export const begin: (lease_ms: number | null) => Effect.Effect<
  {
    readonly account_id: Id.AccountId
    readonly endpoint: WebhookEndpoint.WebhookEndpoint
    readonly recorder: Recorder["Service"]
  },
  Errors.Conflict | Errors.Invalid,
  Services | Recorder
> = Effect.fnUntraced(function* (lease_ms: number | null) {
  yield* Queue.clear
  const account_id = yield* Fixture.account
  const endpoint = yield* Fixture.endpoint(account_id)
  const recorder = yield* Recorder
  recorder.start(lease_ms)
  return { account_id, endpoint, recorder }
})
