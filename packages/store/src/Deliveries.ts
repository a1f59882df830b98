/** The port between storage and dispatcher: deliveries are claimed under a lease, sent, and settled. */
import { type Delivery, type Errors, Id, type Page } from "@tc/domain"
import { Context, type Effect } from "effect"
import type { SentWith } from "./EndpointSettings.ts"

/** A delivery under lease, with all it takes to send it. */
export interface Job {
  readonly account_id: Id.AccountId
  readonly id: Id.DeliveryId
  readonly endpoint_id: Id.WebhookEndpointId
  readonly event: string
  /** The kept text of the event, to which `Event.body` adds the delivery's id. */
  readonly tail: string
  readonly url: string
  /** The signing secrets, as the server encrypted them: those of the endpoint, as they are kept. */
  readonly secret: string
  /** The number of the attempt to make, from 1. */
  readonly attempt: number
  /** Whether a person asked for this attempt after the delivery had ended: if it fails, no other follows. */
  readonly manual: boolean
  /** Whether its endpoint has a rate: it is attempted now, or given back. */
  readonly paced: boolean
  /** Names this lease; a result is taken only from its holder. */
  readonly lease: string
  /** Milliseconds since 1970 when others may take the delivery. */
  readonly lease_until: number
}

/**
 * What became of a delivery with its latest attempt: it `succeeded`; it is due again at `retry_at`; it is `exhausted`,
 * which counts against its endpoint; its receiver is `gone`, which counts as much, and disables an endpoint that wants it
 * so; or it `failed` beyond its schedule, by a retry that a person asked for, which does not.
 */
export type Outcome = "succeeded" | { readonly retry_at: string } | "exhausted" | "gone" | "failed"

/** The result of one attempt. */
export interface Settlement {
  /** `url` and `secret` are those that it was sent with. */
  readonly job: Pick<Job, "account_id" | "id" | "endpoint_id" | "lease" | "url" | "secret">
  readonly attempt: Delivery.Attempt
  readonly outcome: Outcome
}

/** What a result that was written came to. */
export interface Written {
  /** How many failures in a row its endpoint has by it; 0 where it was no failure that counts. */
  readonly failures: number
  /** Whether it disabled its endpoint. */
  readonly disabled: boolean
}

/** How many failures in a row an endpoint has after one more, and whether that disables it. Pure. */
export type Streak = (consecutive_failures: number) => {
  readonly consecutive_failures: number
  readonly disable: boolean
}

/** An endpoint; its id alone does not say which, for another account may have the same. */
export type Endpoint = Pick<Job, "account_id" | "endpoint_id">

/** What a worker asks for. */
export interface ClaimRequest {
  /** Deliveries at most. */
  readonly limit: number
  /** Deliveries to one endpoint at most. */
  readonly per_endpoint: number
  /** Endpoints that may have all of `limit` in spite of that, but for those at a rate: they take what they get at once. */
  readonly quick: ReadonlyArray<Endpoint>
  /** Bytes of payload at most, beyond the first. */
  readonly max_bytes: number
  /** Endpoints that have as many attempts in flight as they may. */
  readonly saturated: ReadonlyArray<Endpoint>
  /** Milliseconds for which the deliveries are leased. */
  readonly lease_ms: number
}

/** What a worker got. */
export interface Claim {
  readonly jobs: ReadonlyArray<Job>
  /**
   * When the next delivery of all falls due that it did not get, in milliseconds since 1970. Sooner only where a lease ends:
   * what was under it may have ended long since.
   */
  readonly next_due_at: number | null
  /** How many of the jobs were under a lease that had run out: of a worker that died, or took too long. */
  readonly expired: number
  /** Whether more may be due that was not looked at: a claim looks at so many at most, and the next goes on from there. */
  readonly more: boolean
}

/** An endpoint that gets one delivery at most: one that a person asked for, and while `ready` any that is due. */
export interface Probe extends Endpoint {
  readonly ready: boolean
}

/** What a worker asks for that knows of endpoints which do not answer. */
export interface ProbeRequest {
  readonly endpoints: ReadonlyArray<Probe>
  /** Bytes of payload at most, beyond the first. */
  readonly max_bytes: number
  /** Milliseconds for which the deliveries are leased. */
  readonly lease_ms: number
}

/** A lease given back unused. */
export interface Released extends Pick<Job, "account_id" | "id" | "lease"> {
  /** Milliseconds since 1970 when the delivery is due; at once if left out. */
  readonly due_at?: number
}

export interface ListRequest extends Page.Request {
  readonly endpoint_id?: Id.WebhookEndpointId
  readonly status?: Delivery.Status
  readonly event?: string
  /** The first and the last moment at which their events happened; a recovery takes its own in the same way. */
  readonly since?: string
  readonly until?: string
}

/** The same span of time in ids, for they begin as those of the events: the least of the first moment, and what comes after the last. */
export const idsIn = ({ since, until }: Pick<ListRequest, "since" | "until">): { from?: string; before?: string } => ({
  ...(since === undefined ? {} : { from: Id.least(Date.parse(since)) }),
  ...(until === undefined ? {} : { before: Id.least(Date.parse(until) + 1) }),
})

/** Deliveries that `stats` counts at most: a backlog may be of millions. */
export const COUNTED_MAX = 10_000
/** Milliseconds after which a delivery that is due and waits is overdue. */
export const OVERDUE_MS = 10_000

/** The queue as a whole, all accounts together, but for what waits its turn: in order, or at a rate. */
export interface Stats {
  /** Deliveries that are due and wait; `COUNTED_MAX` stands for more. */
  readonly due: number
  /** Those of them that fell due more than `OVERDUE_MS` ago; `COUNTED_MAX` stands for more. */
  readonly overdue: number
  /** Milliseconds since 1970 when the oldest of them fell due. */
  readonly oldest_due_at: number | null
}

/** Deliveries of all accounts. Storage that cannot be reached is a defect, `Unavailable`. */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Leases due deliveries, and those whose lease ran out, to the caller: first attempts before retries (a share is
     * kept for each), oldest first, spread over endpoints. Two workers never get the same one. Those whose endpoint is
     * not active any more are canceled instead. An endpoint in order gets a delivery only when the one before it has ended:
     * none while one is under lease or waits for its retry. One at a rate gets no more than that, and what goes at once.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<Claim>
    /**
     * Records attempts and moves their deliveries on. Answers, in order, what each came to; null where the caller did not
     * hold the lease any more and nothing was written. A success clears its endpoint's failures, an exhausted delivery
     * adds one by `streak` and may disable the endpoint, with its event: each in the order given, all in one transaction.
     * A retry for an endpoint that is not active is canceled.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>,
      streak: Streak,
    ) => Effect.Effect<ReadonlyArray<Written | null>>
    /**
     * Leases one due delivery of each endpoint at most: one that a person asked for; else, of an endpoint that is ready,
     * the oldest that was attempted before, so that some come to their end however many wait; else the one due first.
     */
    readonly probe: (request: ProbeRequest) => Effect.Effect<ReadonlyArray<Job>>
    /** Gives leases back unused. The deliveries are canceled where their endpoint is not active any more. */
    readonly release: (jobs: ReadonlyArray<Released>) => Effect.Effect<void>
    /** Newest first. */
    readonly list: (account_id: Id.AccountId, request: ListRequest) => Effect.Effect<Page.Page<Delivery.Delivery>>
    readonly get: (
      account_id: Id.AccountId,
      id: Id.DeliveryId,
    ) => Effect.Effect<Delivery.DeliveryDetail, Errors.NotFound>
    /** What its attempts were sent with, whatever its endpoint was changed to since; null where that is deleted. */
    readonly sentWith: (account_id: Id.AccountId, id: Id.DeliveryId) => Effect.Effect<SentWith | null, Errors.NotFound>
    /**
     * Makes a delivery due now, whatever became of it: one that waits keeps its schedule, one that had ended gets one
     * attempt more; in order, where it stood. Fails with `Conflict`: `delivery_in_progress` while a worker
     * holds it, `endpoint_not_active` when its endpoint is disabled or gone.
     */
    readonly retry: (
      account_id: Id.AccountId,
      id: Id.DeliveryId,
    ) => Effect.Effect<Delivery.Delivery, Errors.NotFound | Errors.Conflict>
    readonly stats: Effect.Effect<Stats>
  }
>()("@tc/store/Deliveries") {}
