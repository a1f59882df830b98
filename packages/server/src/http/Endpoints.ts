/** What can be done with a webhook endpoint beside keeping it: its secrets, its targets, its tests. For all who answer requests. */
import type { Errors as Wire, WebhookEndpointTestResult } from "@tc/api"
import {
  type Errors,
  Event,
  Id,
  Limits,
  type Page,
  Resource,
  Sample,
  SigningSecrets,
  Value,
  WebhookEndpoint,
} from "@tc/domain"
import { type ListRequest, WebhookEndpoints } from "@tc/store"
import { Secret } from "@tc/webhooks"
import { Clock, Effect, Result, type Scope } from "effect"
import { Attempts } from "../Attempts.ts"
import { DeliverySettings } from "../DeliverySettings.ts"
import { SecretBox } from "../SecretBox.ts"
import * as Checks from "./Checks.ts"
import { newId } from "./Incoming.ts"
import * as TestSlots from "./TestSlots.ts"

const { resource } = WebhookEndpoint
type Row = WebhookEndpoint.WebhookEndpoint
type EndpointId = Id.WebhookEndpointId

type Shown = Resource.RecordOf<typeof resource>

/** A record with its signing secret in the clear. */
type WithSecret = Shown & { readonly secret: string }

type Ours<A, E = never> = Effect.Effect<A, Errors.NotFound | E>

export interface Endpoints {
  /** An endpoint as it is now: what time alone changes included. */
  readonly get: (account_id: Id.AccountId, id: EndpointId) => Ours<Row>
  /** A page of records as they are now. */
  readonly list: (account_id: Id.AccountId, request: ListRequest) => Effect.Effect<Page.Page<Shown>, Errors.Invalid>
  /** Keeps an endpoint with a new secret, at a target that is allowed. */
  readonly create: (
    account_id: Id.AccountId,
    input: (typeof resource.create)["Type"],
  ) => Effect.Effect<WithSecret, Errors.Conflict | Errors.Invalid>
  readonly reveal: (account_id: Id.AccountId, id: EndpointId) => Ours<WithSecret>
  /** Gives it another secret; the present one signs on for so many seconds. */
  readonly rotate: (
    account_id: Id.AccountId,
    id: EndpointId,
    overlap_seconds?: number,
  ) => Ours<WithSecret, Errors.Conflict | Errors.Invalid>
  readonly modify: (
    account_id: Id.AccountId,
    id: EndpointId,
    patch: WebhookEndpoint.Patch,
  ) => Ours<Row, Errors.Conflict | Errors.Invalid>
  /** One attempt of an event that did not happen, with its sample unless other `data` is given. */
  readonly test: (
    account_id: Id.AccountId,
    endpoint_id: EndpointId,
    event: Event.EventName,
    data?: Readonly<Record<string, unknown>>,
  ) => Ours<WebhookEndpointTestResult, Wire.ServiceUnavailable>
}

/** An endpoint as it is now. */
const current = (row: Row) =>
  Effect.map(Clock.currentTimeMillis, (millis) => WebhookEndpoint.asOf(row, Value.timestamp(millis)))

/** An endpoint with its secret in the clear. */
const withSecret = (row: Row, secret: string) => ({ ...Resource.show(resource, row), secret })

/** All of it, over the services of the program. */
export const make = Effect.gen(function* (): Effect.fn.Return<
  Endpoints,
  never,
  WebhookEndpoints | Attempts | SecretBox | Scope.Scope
> {
  const endpoints = yield* WebhookEndpoints
  const attempts = yield* Attempts
  const box = yield* SecretBox
  const slots = yield* TestSlots.make
  const { allow_private } = yield* DeliverySettings

  const get = (account_id: Id.AccountId, id: EndpointId) => Effect.flatMap(endpoints.get(account_id, id), current)

  const list = Effect.fnUntraced(function* (account_id: Id.AccountId, request: ListRequest) {
    const { data, meta } = yield* endpoints.list(account_id, request)
    const rows = yield* Effect.forEach(data, current)
    return { data: rows.map((row) => Resource.show(resource, row)), meta }
  })

  const create = Effect.fnUntraced(function* (account_id: Id.AccountId, input: (typeof resource.create)["Type"]) {
    yield* Checks.target(input.url, allow_private)
    const id = input.id ?? Id.WebhookEndpointId.id.make(newId(yield* Clock.currentTimeMillis))
    const clear = Secret.make()
    const secret = yield* box.encrypt(clear, { account_id, endpoint_id: id })
    return withSecret(yield* endpoints.create(account_id, { ...input, id, secret }), clear)
  })

  const reveal = Effect.fnUntraced(function* (account_id: Id.AccountId, id: EndpointId) {
    const row = yield* get(account_id, id)
    const present = SigningSecrets.present(row.secret)
    return withSecret(row, yield* box.decrypt(present, { account_id, endpoint_id: row.id }))
  })

  const rotate = Effect.fnUntraced(function* (
    account_id: Id.AccountId,
    id: EndpointId,
    overlap_seconds: number = Limits.OVERLAP_DEFAULT_SECONDS,
  ) {
    const clear = Secret.make()
    const secret = yield* box.encrypt(clear, { account_id, endpoint_id: id })
    return withSecret(yield* endpoints.modify(account_id, id, WebhookEndpoint.rotate(secret, overlap_seconds)), clear)
  })

  const modify = Effect.fnUntraced(function* (account_id: Id.AccountId, id: EndpointId, patch: WebhookEndpoint.Patch) {
    if (patch.url !== undefined) yield* Checks.target(patch.url, allow_private)
    const decide = (row: Row, now: string) => Result.succeed(WebhookEndpoint.patch(patch)(row, now))
    return yield* Effect.flatMap(endpoints.modify(account_id, id, decide), current)
  })

  const test = Effect.fnUntraced(function* (
    account_id: Id.AccountId,
    endpoint_id: EndpointId,
    event: Event.EventName,
    data: Readonly<Record<string, unknown>> = Sample.of(event),
  ) {
    const { secret, url } = yield* endpoints.get(account_id, endpoint_id)
    const now = yield* Clock.currentTimeMillis
    const id = Id.DeliveryId.id.make(newId(now))
    const tail = Event.tail({ event, data }, account_id, Value.timestamp(now))
    const target = { account_id, id, endpoint_id, event, tail, url, secret }
    const { retry_after: _, ...outcome } = yield* slots.run(target, Effect.orDie(attempts.make(target)))
    return { event, ...outcome }
  })

  return { get, list, create, reveal, rotate, modify, test }
})
