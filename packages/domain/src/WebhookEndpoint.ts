/** Who is told of events: a target URL, what it subscribes to, and its status as one table. */
import { Result, Schema, SchemaTransformation } from "effect"
import * as Errors from "./Errors.ts"
import * as EventName from "./EventName.ts"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Limits from "./Limits.ts"
import * as Resource from "./Resource.ts"
import * as SigningSecrets from "./SigningSecrets.ts"
import * as Value from "./Value.ts"

export const Status = Schema.Literals(["active", "disabled", "auto-disabled"])
export type Status = typeof Status.Type

/** The statuses that a caller can set. */
const StatusInput = Schema.Literals(["active", "disabled"])

const MAX_EVENTS = EventName.all.length

const names = Schema.Array(EventName.EventName)
  .check(Schema.isMinLength(1, { expected: "at least one event" }))
  .check(Schema.isMaxLength(MAX_EVENTS, { expected: `at most ${MAX_EVENTS} events` }))

/** Catalogue names, or `["*"]` for all events, those added later included. */
export const Events = Schema.Union([Schema.Tuple([Schema.Literal("*")]), names])

/** As callers may write it: also the bare string `"*"`. */
export const EventsInput = Schema.Union([
  Schema.Literal("*").pipe(
    Schema.decodeTo(
      Schema.Tuple([Schema.Literal("*")]),
      SchemaTransformation.transform<readonly ["*"], "*">({ decode: () => ["*"], encode: () => "*" }),
    ),
  ),
  Field.bounded(Events, MAX_EVENTS, "events"),
]).annotate({ message: 'must be a list of event names, or "*"' })

const Rate = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: Limits.MAX_PER_SECOND_MAX },
    { expected: `an integer from 1 to ${Limits.MAX_PER_SECOND_MAX}` },
  ),
)

export const resource = Resource.make(
  "webhook_endpoint",
  Id.WebhookEndpointId,
  {
    url: Field.required(Value.Url),
    events: Field.required(Events, EventsInput),
    description: Field.nullable(Value.Text),
    /** Attempts in a second at most, retries included; null: as many as there is room for. */
    max_per_second: Field.nullable(Rate),
    /** Whether a delivery is attempted only after the one before it has ended. */
    ordered: Field.defaulted(Schema.Boolean, false),
    /** Whether one answer of 410 Gone disables the endpoint. */
    disable_on_gone: Field.defaulted(Schema.Boolean, false),
    status: Field.Field({
      ...Field.defaulted(Status, "active").schemas,
      create: Field.defaulted(StatusInput, "active").schemas.create,
      patch: Schema.optionalKey(StatusInput),
    }),
    consecutive_failures: Field.readOnly(Value.Count),
    disabled_at: Field.readOnly(Schema.NullOr(Value.Timestamp)),
    /** Until when secrets that were replaced sign beside the present one. */
    secret_overlap_until: Field.readOnly(Schema.NullOr(Value.Timestamp)),
    /** The signing secrets, as `SigningSecrets` writes them, encrypted by the server: the storage never sees one in the clear. */
    secret: Field.hidden(Schema.String),
  },
  {
    path: "webhook_endpoints",
    search: "url",
    initial: { consecutive_failures: 0, disabled_at: null, secret_overlap_until: null },
    /** Endpoints come and go unannounced. */
    event_of: () => null,
  },
)

export type WebhookEndpoint = typeof resource.row.Type
export type Patch = typeof resource.patch.Type

/** What can happen to an endpoint: a person enables or disables it, or its deliveries show that nobody is there. */
export type Command = "enable" | "disable" | "exhaust"

/** The whole lifecycle: where each command leads. A command that leads to the same status changes nothing. */
export const lifecycle = {
  active: { enable: "active", disable: "disabled", exhaust: "auto-disabled" },
  disabled: { enable: "active", disable: "disabled", exhaust: "disabled" },
  "auto-disabled": { enable: "active", disable: "disabled", exhaust: "auto-disabled" },
} as const satisfies Record<Status, Record<Command, Status>>

/** The endpoint after a command. Becoming active clears the failures and the time it was disabled. */
export const run = (command: Command, endpoint: WebhookEndpoint, now: string): WebhookEndpoint => {
  const status = lifecycle[endpoint.status][command]
  if (status === endpoint.status) return endpoint
  return status === "active"
    ? { ...endpoint, status, consecutive_failures: 0, disabled_at: null, updated_at: now }
    : { ...endpoint, status, disabled_at: now, updated_at: now }
}

/** A new endpoint: one that is made disabled is so from its first moment. */
export const begun = (endpoint: WebhookEndpoint): Resource.Change<WebhookEndpoint> => ({
  row: endpoint.status === "active" ? endpoint : { ...endpoint, disabled_at: endpoint.created_at },
  events: [],
})

/** A PATCH. Endpoints raise no events of their own when a person changes them. */
export const patch =
  ({ status, ...changes }: Patch) =>
  (endpoint: WebhookEndpoint, now: string): Resource.Change<WebhookEndpoint> => {
    const merged = Resource.merge(endpoint, changes, now)
    const commands = { active: "enable", disabled: "disable" } as const
    return { row: status === undefined ? merged : run(commands[status], merged, now), events: [] }
  }

/** Seconds for which the secret that is replaced signs beside the new one; 0 ends every older one at once. */
export const OverlapSeconds = Schema.Int.check(
  Schema.isBetween(
    { minimum: 0, maximum: Limits.OVERLAP_MAX_SECONDS },
    { expected: `an integer from 0 to ${Limits.OVERLAP_MAX_SECONDS}` },
  ),
)

/** A rotation to a new secret, encrypted. Refused while as many secrets sign as may: to drop one would break its receiver. */
export const rotate =
  (secret: string, overlap_seconds: number) =>
  (endpoint: WebhookEndpoint, now: string): Result.Result<Resource.Change<WebhookEndpoint>, Errors.Conflict> => {
    const secrets = SigningSecrets.rotate(endpoint.secret, secret, Date.parse(now), overlap_seconds * 1_000)
    if (secrets === undefined) return Result.fail(tooManySecrets())
    const until = SigningSecrets.overlapUntil(secrets)
    const secret_overlap_until = until === null ? null : Value.timestamp(until)
    return Result.succeed({ row: { ...endpoint, secret: secrets, secret_overlap_until, updated_at: now }, events: [] })
  }

const tooManySecrets = () =>
  new Errors.Conflict({
    code: "too_many_secrets",
    message: `${Limits.SIGNING_SECRETS_MAX} secrets of this endpoint sign at this time. Wait until one has ended, or rotate with overlap_seconds 0, which ends all but the new one.`,
  })

/** The endpoint as it is at a time: an overlap that is over is none. */
export const asOf = (endpoint: WebhookEndpoint, now: string): WebhookEndpoint =>
  endpoint.secret_overlap_until === null || now < endpoint.secret_overlap_until
    ? endpoint
    : { ...endpoint, secret_overlap_until: null }

/** Whether an event is among those of a subscription. */
export const covers = (events: WebhookEndpoint["events"], event: string): boolean =>
  events.some((name) => name === "*" || name === event)

/** Whether an endpoint is to be told of an event. */
export const wants = (endpoint: Pick<WebhookEndpoint, "status" | "events">, event: string): boolean =>
  endpoint.status === "active" && covers(endpoint.events, event)

/** The event that tells an account's other endpoints of one that was disabled, and never that one. */
export const DISABLED = "webhook_endpoint.disabled"

/** The event that tells an account's other endpoints that one was disabled. */
export const disabledEvent = (endpoint: WebhookEndpoint): Resource.Raised => ({
  event: DISABLED,
  data: Resource.show(resource, endpoint),
})
