/** The work of delivering to an endpoint what it has missed: which span of time, how far it is, and its status as one table. */
import { Result, Schema } from "effect"
import * as Errors from "./Errors.ts"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"
import * as WebhookEndpoint from "./WebhookEndpoint.ts"

/** `pending`: nobody works on it yet. `canceled`: its endpoint was disabled or deleted before it was completed. */
export const Status = Schema.Literals(["pending", "running", "completed", "canceled"])
export type Status = typeof Status.Type

export const Recovery = Schema.Struct({
  id: Id.RecoveryId.id,
  account_id: Id.AccountId.id,
  endpoint_id: Id.WebhookEndpointId.id,
  status: Status,
  /** The first and the last moment of what it looks at. */
  since: Value.Timestamp,
  until: Value.Timestamp,
  /** The names of what it looks for. */
  events: WebhookEndpoint.Events,
  /** Events looked at so far, of whatever name. */
  event_count: Value.Count,
  /** Deliveries created so far. */
  delivery_count: Value.Count,
  created_at: Value.Timestamp,
  updated_at: Value.Timestamp,
  /** When it ended, either way. */
  completed_at: Schema.NullOr(Value.Timestamp),
}).annotate({ identifier: "Recovery" })
export type Recovery = typeof Recovery.Type

/** What to recover: `until` is now, and `events` are those the endpoint subscribes to, where they are left out or `null`. */
export const RecoveryCreate = Schema.Struct({
  since: Value.Instant,
  until: Schema.optionalKey(Schema.NullOr(Value.Instant)),
  events: Schema.optionalKey(Schema.NullOr(WebhookEndpoint.EventsInput)),
}).annotate({ identifier: "RecoveryCreate" })
export type RecoveryCreate = typeof RecoveryCreate.Type

/** A span of time, both ends included. */
export interface Window {
  readonly since: string
  readonly until: string
}

/** The span that is asked for, which ends where the past does. Fails with every field that is wrong. */
export const window = (
  { since, until }: Pick<RecoveryCreate, "since" | "until">,
  now: string,
): Result.Result<Window, Errors.Invalid> => {
  const end = until ?? now
  const errors = [
    ...(since > now ? [{ path: "/since", message: "lies in the future" }] : []),
    ...(end > now ? [{ path: "/until", message: "lies in the future" }] : []),
    ...(since > end && since <= now ? [{ path: "/since", message: "comes after until" }] : []),
  ]
  return errors.length === 0 ? Result.succeed({ since, until: end }) : Result.fail(Errors.invalid(errors))
}

/** What can happen to a recovery: a worker takes it up, it comes to its end, or its endpoint is not active any more. */
export type Command = "start" | "finish" | "cancel"

/** The whole lifecycle: where each command leads. */
export const lifecycle = {
  pending: { start: "running", finish: "completed", cancel: "canceled" },
  running: { start: "running", finish: "completed", cancel: "canceled" },
  completed: { start: "completed", finish: "completed", cancel: "completed" },
  canceled: { start: "canceled", finish: "canceled", cancel: "canceled" },
} as const satisfies Record<Status, Record<Command, Status>>

/** The recovery after a command. */
export const run = (command: Command, recovery: Recovery, now: string): Recovery => {
  const status = lifecycle[recovery.status][command]
  if (status === recovery.status) return recovery
  return { ...recovery, status, updated_at: now, completed_at: command === "start" ? null : now }
}
