/** What the tests of the dispatcher work in: an account in memory, and receivers that answer as they are told. */
import { Asset, type Id, Value, WebhookEndpoint } from "@tc/domain"
import { Accounts, Assets, Deliveries, layerMemory, WebhookEndpoints } from "@tc/store"
import { Secret } from "@tc/webhooks"
import { Clock, Effect, Exit, Layer, Result, Schema, Scope } from "effect"
import { Attempts } from "../../src/Attempts.ts"
import { defaults, DeliverySettings, type Settings } from "../../src/DeliverySettings.ts"
import * as Dispatcher from "../../src/Dispatcher.ts"
import { Mailbox } from "../../src/Mailbox.ts"
import { SecretBox } from "../../src/SecretBox.ts"
import { type Answer, type Request, Sender } from "../../src/Sender.ts"

/** One POST as a receiver saw it, and when, in milliseconds since the test began. */
export interface Seen extends Request {
  readonly at: number
  readonly delivery: string
  readonly event: string
}

export type Reply = Partial<Pick<Answer, "status_code" | "error" | "retry_after">>

/** Receivers reply to a POST, after a while if they like; `nth` counts the POSTs of one delivery, from 1. */
export type Replies = (seen: Seen, nth: number) => Reply | Effect.Effect<Reply>

export const ok: Reply = { status_code: 200 }
export const down: Reply = { status_code: 500 }

/** All receivers there are, and all they have seen, in order. */
export const receivers = (replies: Replies) => {
  const seen: Array<Seen> = []
  const layer = Layer.effect(
    Sender,
    Effect.map(Clock.Clock, (clock) =>
      Sender.of({
        send: (request) =>
          Effect.suspend(() => {
            const at = clock.currentTimeMillisUnsafe()
            const { "X-Service-Delivery": delivery = "", "X-Service-Event": event = "" } = request.headers
            const one = { ...request, at, delivery, event }
            seen.push(one)
            const reply = replies(one, seen.filter((other) => other.delivery === delivery).length)
            return Effect.map(Effect.isEffect(reply) ? reply : Effect.succeed(reply), (reply) => ({
              started_at: Value.timestamp(at),
              duration_ms: clock.currentTimeMillisUnsafe() - at,
              status_code: null,
              error: null,
              response_excerpt: null,
              retry_after: null,
              ...reply,
            }))
          }),
      }),
    ),
  )
  return { seen, layer, at: (url: string) => seen.filter((one) => one.url === url) }
}

/** Secrets kept as they are: most of what is tested here does not depend on how they are kept. */
const plain = Layer.succeed(SecretBox, { encrypt: Effect.succeed, decrypt: Effect.succeed })

export const settings = (some: Partial<Settings>) => Layer.succeed(DeliverySettings, { ...defaults, ...some })

/** A dispatcher for a storage and a mailbox that there are already. */
export const dispatcher = (
  sender: Layer.Layer<Sender>,
  some: Partial<Settings> = {},
  box: Layer.Layer<SecretBox> = plain,
) => Dispatcher.layer.pipe(Layer.provide(Attempts.layer), Layer.provide([sender, box]), Layer.provide(settings(some)))

/** Storage that hands over to the dispatcher that binds its mailbox. */
export const storage = layerMemory.pipe(Layer.provideMerge(Mailbox.layer))

/** Storage with one dispatcher. */
export const layer = (sender: Layer.Layer<Sender>, some: Partial<Settings> = {}) =>
  dispatcher(sender, some).pipe(Layer.provideMerge(storage))

const decodeEndpoint = Schema.decodeUnknownSync(WebhookEndpoint.resource.create)
const decodeAsset = Schema.decodeUnknownSync(Asset.resource.create)

export const account = Effect.flatMap(Accounts, (accounts) =>
  Effect.map(Effect.orDie(accounts.create(crypto.randomUUID())), ({ id }) => id),
)

/** An endpoint, with the id that it has in another account if one is given. */
export const endpoint = (
  account_id: Id.AccountId,
  url: string,
  events: ReadonlyArray<string> = ["asset.created"],
  id?: Id.WebhookEndpointId,
) =>
  Effect.flatMap(WebhookEndpoints, (endpoints) =>
    Effect.orDie(
      endpoints.create(account_id, {
        ...decodeEndpoint({ url, events, ...(id === undefined ? {} : { id }) }),
        secret: Secret.make(),
      }),
    ),
  )

/** Changes an endpoint, as a person does. */
export const change = (endpoint: WebhookEndpoint.WebhookEndpoint, patch: WebhookEndpoint.Patch) =>
  Effect.flatMap(WebhookEndpoints, (endpoints) =>
    Effect.orDie(
      endpoints.modify(endpoint.account_id, endpoint.id, (row, now) =>
        Result.succeed(WebhookEndpoint.patch(patch)(row, now)),
      ),
    ),
  )

/** Replaces the secret of an endpoint; answers with the new one. */
export const rotate = (endpoint: WebhookEndpoint.WebhookEndpoint, overlap_seconds: number) =>
  Effect.gen(function* () {
    const endpoints = yield* WebhookEndpoints
    const secret = Secret.make()
    const decide = WebhookEndpoint.rotate(secret, overlap_seconds)
    yield* Effect.orDie(endpoints.modify(endpoint.account_id, endpoint.id, decide))
    return secret
  })

/** How many deliveries of an account stand in each way. */
export const counts = (account_id: Id.AccountId) =>
  Effect.map(statuses(account_id), (all) =>
    Object.fromEntries([...Map.groupBy(all, (status) => status)].map(([status, its]) => [status, its.length])),
  )

/** Lets `asset.created` happen so many times. */
export const happen = (account_id: Id.AccountId, times = 1) =>
  Effect.flatMap(Assets, (assets) =>
    Effect.replicateEffect(
      Effect.orDie(assets.create(account_id, decodeAsset({ name: "Star", asset_type: "clipart" }))),
      times,
      { discard: true },
    ),
  )

/** All deliveries of an account, the oldest first, with their attempts. */
export const deliveries = (account_id: Id.AccountId) =>
  Effect.gen(function* () {
    const service = yield* Deliveries
    const { data } = yield* service.list(account_id, { page: 1, per_page: 100 })
    return yield* Effect.forEach(data.toReversed(), ({ id }) => Effect.orDie(service.get(account_id, id)))
  })

/** Starts a dispatcher of its own; answers how to stop it. */
export const start = (...given: Parameters<typeof dispatcher>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(Layer.fresh(dispatcher(...given)), scope)
    return Scope.close(scope, Exit.void)
  })

/** How an account's deliveries stand, the oldest first. */
export const statuses = (account_id: Effect.Success<typeof account>) =>
  Effect.map(deliveries(account_id), (all) => all.map(({ status }) => status))
