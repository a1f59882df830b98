/** Recoveries: asked for by a person, done by workers in small batches, each of which commits how far it came. */
import type { Errors, Id, Page, Recovery, WebhookEndpoint } from "@tc/domain"
import { Context, type Effect } from "effect"

/** What to look for, and where. */
export interface Wanted extends Recovery.Window {
  /** Null: what the endpoint subscribes to. */
  readonly events: WebhookEndpoint.WebhookEndpoint["events"] | null
}

/** A recovery in the hands of a worker. */
export interface Claimed extends Pick<Recovery.Recovery, "account_id" | "endpoint_id" | "id"> {
  /** Names the lease; only its holder can advance the recovery. */
  readonly lease: string
}

/** The bounds of one batch. */
export interface AdvanceRequest {
  /** Events that are looked at at most. */
  readonly limit: number
  /** Deliveries of the endpoint that may be open at most, whatever they come from; beyond that, none is created. */
  readonly max_open: number
  /** Milliseconds that an event is left alone for: one of that time may just be being committed by somebody. */
  readonly settle_ms: number
  /** Milliseconds to wait for room, or for the end of the window, before the next batch. */
  readonly rest_ms: number
}

/** Recoveries of all accounts. Storage that cannot be reached is a defect, `Unavailable`. */
export class Recoveries extends Context.Service<
  Recoveries,
  {
    /**
     * Keeps a recovery for workers to take up. Fails with `Conflict`: `endpoint_not_active`, or `recovery_in_progress` while
     * another of the endpoint has not ended.
     */
    readonly create: (
      account_id: Id.AccountId,
      endpoint_id: Id.WebhookEndpointId,
      wanted: Wanted,
    ) => Effect.Effect<Recovery.Recovery, Errors.NotFound | Errors.Conflict>
    /** Those of an endpoint, newest first. */
    readonly list: (
      account_id: Id.AccountId,
      endpoint_id: Id.WebhookEndpointId,
      request: Page.Request,
    ) => Effect.Effect<Page.Page<Recovery.Recovery>>
    readonly get: (
      account_id: Id.AccountId,
      endpoint_id: Id.WebhookEndpointId,
      id: Id.RecoveryId,
    ) => Effect.Effect<Recovery.Recovery, Errors.NotFound>
    /** Leases the one that has waited longest, or whose lease ran out; null where there is nothing to do. */
    readonly claim: (lease_ms: number) => Effect.Effect<Claimed | null>
    /**
     * Looks at the next events and creates the deliveries that are missing, in the order of the events: those of an event
     * that has the right name and of which the endpoint has no delivery, or only some that failed or were canceled. They commit
     * with the place that was reached, and the lease ends. Answers the recovery, or null when it was not held any more.
     */
    readonly advance: (claimed: Claimed, request: AdvanceRequest) => Effect.Effect<Recovery.Recovery | null>
  }
>()("@tc/store/Recoveries") {}
