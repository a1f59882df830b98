/** One event on its way to one endpoint, and the attempts made. */
import { Schema } from "effect"
import { EventName } from "./EventName.ts"
import * as Id from "./Id.ts"
import * as Value from "./Value.ts"

/**
 * `pending`: due at `due_at`. `delivering`: leased by a worker until `lease_until`. `succeeded`: a 2xx was received.
 * `failed`: all attempts used, or its receiver answered 410 Gone. `canceled`: its endpoint was disabled or deleted before it ended.
 */
export const Status = Schema.Literals(["pending", "delivering", "succeeded", "failed", "canceled"])
export type Status = typeof Status.Type

/** Why an attempt got no answer. */
export const AttemptError = Schema.Literals([
  "timeout",
  "dns_error",
  "connection_refused",
  "connection_reset",
  "tls_error",
  "blocked_address",
  "invalid_response",
])
export type AttemptError = typeof AttemptError.Type

/** One POST: an answer with its status code, or an error. */
export const Attempt = Schema.Struct({
  /** 1 is the initial delivery. */
  number: Schema.Int,
  started_at: Value.Timestamp,
  duration_ms: Value.Count,
  status_code: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(AttemptError),
  /** The start of the answer's body, up to 16 KiB. */
  response_excerpt: Schema.NullOr(Schema.String),
}).annotate({ identifier: "Attempt" })
export type Attempt = typeof Attempt.Type

export const Delivery = Schema.Struct({
  id: Id.DeliveryId.id,
  account_id: Id.AccountId.id,
  event_id: Id.EventId.id,
  endpoint_id: Id.WebhookEndpointId.id,
  event: EventName,
  status: Status,
  /** Attempts made so far. */
  attempt_count: Value.Count,
  /** When the next attempt is due; `null` unless pending. */
  due_at: Schema.NullOr(Value.Timestamp),
  /** Until when a worker holds it; `null` unless delivering. */
  lease_until: Schema.NullOr(Value.Timestamp),
  created_at: Value.Timestamp,
  updated_at: Value.Timestamp,
}).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type

/** A delivery with its attempts, oldest first. */
export const DeliveryDetail = Schema.Struct({ ...Delivery.fields, attempts: Schema.Array(Attempt) }).annotate({
  identifier: "DeliveryDetail",
})
export type DeliveryDetail = typeof DeliveryDetail.Type
