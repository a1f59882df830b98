/** What the in-memory storage holds, and the one way to work on it: a step that nothing can come between. */
import type {
  Account,
  ApiKey,
  AuditEntry,
  Delivery,
  Id,
  Invitation,
  Member,
  Resource,
  Session,
  Tally,
} from "@tc/domain"
import { Clock, Context, Effect, Layer, Result } from "effect"
import type { FormerSettings } from "../EndpointSettings.ts"
import { Handoff } from "../Handoff.ts"
import * as Ids from "../Ids.ts"
import { copy } from "./Copy.ts"
import type { RecoveryRow } from "../Progress.ts"
import type { Reset } from "../Members.ts"
import type { Window } from "../Throttles.ts"

/** An event as kept: `tail` is the exact text that is sent. */
export interface EventRow {
  readonly id: Id.EventId
  readonly event: string
  readonly tail: string
}

/** A delivery as kept: with its attempts, and the lease under which a worker holds it. */
export interface DeliveryRow extends Delivery.DeliveryDetail {
  readonly lease: string | null
  /** Whether it had ended, and a person asked for one attempt more. */
  readonly manual: boolean
  /** Whether a person asked for its next attempt. */
  readonly asked: boolean
  /** Of each attempt, what it was sent with. */
  readonly marks: ReadonlyArray<number>
}

/** What held for an endpoint, under an id that grows with `until`. */
export interface FormerRow extends FormerSettings {
  readonly id: string
  readonly endpoint_id: Id.WebhookEndpointId
}

/** Of an endpoint in order or at a rate: what went last, null since it is so, and when (milliseconds since 1970) all that went is paid for. */
export interface Gate {
  readonly current: Id.DeliveryId | null
  readonly free_at: number
}

/** What the attempts of an account came to in a minute that begins `at`, in milliseconds since 1970. */
export interface MinuteRow extends Tally.Tally {
  readonly at: number
}

/** What the attempts of an endpoint came to in an hour that begins `at`, and when the latest ended. */
export interface HourRow extends Tally.Outcomes {
  readonly account_id: Id.AccountId
  readonly endpoint_id: Id.WebhookEndpointId
  readonly at: number
  readonly latest_at: number
}

/** An id is one of its kind only within its account. */
export const keyOf = (account_id: string, id: string): string => `${account_id}/${id}`

/** Whether a delivery has not ended. */
export const isOpen = ({ due_at, lease }: DeliveryRow): boolean => due_at !== null || lease !== null

export class Memory extends Context.Service<
  Memory,
  {
    /** Where deliveries born here go, and when. */
    readonly handoff: Handoff
    readonly nextId: (millis: number) => string
    /** By name. */
    readonly accounts: Map<string, Account.Account>
    /** By account and id, as `keyOf` joins them; so are members, sessions and invitations. */
    readonly keys: Map<string, ApiKey.Row>
    readonly members: Map<string, Member.Row>
    readonly sessions: Map<string, Session.Session>
    /** Tokens with which members choose another password, by account and member. */
    readonly resets: Map<string, Reset>
    readonly invitations: Map<string, Invitation.Row>
    /** What people did in an account, by id. */
    readonly entries: (account_id: string) => Map<string, AuditEntry.AuditEntry>
    /** By what is counted. */
    readonly throttles: Map<string, Window>
    /** What attempts came to: by account and minute, and by account, endpoint and hour. */
    readonly minutes: Map<string, MinuteRow>
    readonly hours: Map<string, HourRow>
    /** An account's records of one resource, by id. */
    readonly records: <R extends Resource.Any>(resource: R, account_id: string) => Map<string, Resource.RowOf<R>>
    /** The same for a resource of which only the path is known. */
    readonly recordsAt: (path: string, account_id: string) => Map<string, Resource.AnyRow>
    /** An account's events, by id. */
    readonly events: (account_id: string) => Map<string, EventRow>
    /** An account's deliveries, by id. */
    readonly deliveries: (account_id: string) => ReadonlyMap<string, DeliveryRow>
    /** An account's recoveries, by id. */
    readonly recoveries: (account_id: string) => Map<string, RecoveryRow>
    /** What an account's endpoints were, by id, the oldest first. */
    readonly former: (account_id: string) => Map<string, FormerRow>
    /** The deliveries of all accounts that have not ended, so that no claim has to look at those that have. */
    readonly open: ReadonlyMap<string, DeliveryRow>
    /** By account and endpoint. */
    readonly gates: Map<string, Gate>
    readonly keep: (delivery: DeliveryRow) => void
    /** Drops a delivery. Answers whether there was one. */
    readonly forget: (delivery: DeliveryRow) => boolean
    /** Has something told once the step is over, and not at all when it throws. */
    readonly afterwards: (tell: () => void) => void
    /**
     * Runs at once and to the end, at the time it is given. What it refuses it has not begun to write, and what it
     * answers is a copy, so that no caller holds what is kept.
     */
    readonly step: <A, E = never>(run: (millis: number) => Result.Result<A, E>) => Effect.Effect<A, E>
  }
>()("@tc/store/memory/Memory") {
  /** Empty each time it is built. */
  static readonly layer = Layer.effect(
    Memory,
    Effect.map(Handoff, (handoff) => make(handoff)),
  )
}

const make = (handoff: Handoff): Memory["Service"] => {
  const records = tables<Resource.AnyRow>()
  const events = tables<EventRow>()
  const deliveries = tables<DeliveryRow>()
  const recoveries = tables<RecoveryRow>()
  const open = new Map<string, DeliveryRow>()
  const told: Array<() => void> = []
  const recordsAt = (path: string, account_id: string) => records(`${path}/${account_id}`)
  return {
    handoff,
    nextId: Ids.make(),
    accounts: new Map(),
    keys: new Map(),
    members: new Map(),
    sessions: new Map(),
    resets: new Map(),
    invitations: new Map(),
    entries: tables<AuditEntry.AuditEntry>(),
    throttles: new Map(),
    minutes: new Map(),
    hours: new Map(),
    records: (resource, account_id) => recordsAt(resource.path, account_id),
    recordsAt,
    events,
    deliveries,
    recoveries,
    former: tables<FormerRow>(),
    open,
    gates: new Map(),
    keep: (delivery) => {
      deliveries(delivery.account_id).set(delivery.id, delivery)
      if (isOpen(delivery)) open.set(delivery.id, delivery)
      else open.delete(delivery.id)
    },
    forget: ({ account_id, id }) => {
      open.delete(id)
      return deliveries(account_id).delete(id)
    },
    afterwards: (tell) => told.push(tell),
    step: (run) =>
      Effect.flatMap(Clock.currentTimeMillis, (millis) => {
        told.length = 0
        const result = Result.map(run(millis), (answer) => copy(answer))
        for (const tell of told.splice(0)) tell()
        return Effect.fromResult(result)
      }),
  }
}

/** Tables by key, each made when it is first asked for. */
const tables = <Row>() => {
  const all = new Map<string, Map<string, Row>>()
  return (key: string): Map<string, Row> => {
    const known = all.get(key)
    if (known !== undefined) return known
    const table = new Map<string, Row>()
    all.set(key, table)
    return table
  }
}
