/** Our service as the benchmarks drive it: its storage and dispatcher for deliveries, the whole server for HTTP. */
import { Account, ApiKey, Id, WebhookEndpoint } from "@tc/domain"
import { Config, HttpSettings, SecretBox, Service } from "@tc/server"
import { SecretKey, Server, StorageLayer, UndiciSender } from "@tc/server/node"
import { Accounts, ApiKeys, Assets, Deliveries, Products, Stores, WebhookEndpoints } from "@tc/store"
import { Secret } from "@tc/webhooks"
import { Effect, Layer, ManagedRuntime, Result, Schema, Scope } from "effect"
import type { HttpApi } from "./HttpApi.ts"
import type { Pipeline } from "./Pipeline.ts"

const bootstrapKey = `tc_${"0123456789abcdef".repeat(4)}`

const configure = (databaseUrl: string): Config.Config =>
  Result.getOrThrowWith(
    Config.parse(
      {
        DATABASE_URL: databaseUrl,
        PORT: "0",
        TC_SECRET_KEY: btoa("k".repeat(SecretBox.KEY_BYTES)),
        TC_BOOTSTRAP_API_KEY: bootstrapKey,
        TC_WEBHOOK_ALLOW_PRIVATE: "true",
      },
      false,
    ),
    (problems) => new Error(JSON.stringify(problems)),
  )

const store = {
  name: "Benchmark",
  platform: "swell",
  domain: null,
  active: true,
  store_url: null,
  external_store_id: null,
}

/** An event is accepted by creating an asset that carries its data: the record, the event and its deliveries commit together. */
export const makePipeline = async (databaseUrl: string): Promise<Pipeline> => {
  const config = configure(databaseUrl)
  let recorded = 0
  const counted = Layer.effect(
    Deliveries,
    Effect.map(Deliveries, (deliveries) => ({
      ...deliveries,
      settle: (settlements, streak) =>
        Effect.tap(deliveries.settle(settlements, streak), (held) =>
          Effect.sync(() => (recorded += held.filter(Boolean).length)),
        ),
    })),
  )
  const runtime = ManagedRuntime.make(
    Service.layer({
      storage: counted.pipe(Layer.provideMerge(StorageLayer.layer(config))),
      sender: UndiciSender.layer(),
      secrets: SecretKey.layer(config),
      deliveries: config.deliveries,
    }),
  )
  const { assets, endpoints, box, account_id } = await runtime.runPromise(
    Effect.gen(function* () {
      const { id: account_id } = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
      return { assets: yield* Assets, endpoints: yield* WebhookEndpoints, box: yield* SecretBox.SecretBox, account_id }
    }),
  )
  const subscribe = Effect.fn(function* (url: string) {
    const id = Id.WebhookEndpointId.id.make(crypto.randomUUID())
    const secret = Secret.make()
    const sealed = yield* box.encrypt(secret, { account_id, endpoint_id: id })
    const given = Schema.decodeSync(WebhookEndpoint.resource.create)({ url, events: ["*"] })
    yield* endpoints.create(account_id, { ...given, id, secret: sealed })
    return secret
  })
  const unsubscribe = Effect.gen(function* () {
    const { data } = yield* endpoints.list(account_id, { page: 1, per_page: 100 })
    for (const { id } of data) {
      yield* endpoints.modify(account_id, id, (row, now) =>
        Result.succeed(WebhookEndpoint.patch({ status: "disabled" })(row, now)),
      )
    }
  })
  return {
    subscribe: (urls) => runtime.runPromise(Effect.andThen(unsubscribe, Effect.forEach(urls, subscribe))),
    accept: (_, data) =>
      runtime.runPromise(
        assets.create(account_id, { name: "Asset", asset_type: "clipart", category: null, metadata: { ...data } }),
      ),
    recorded: () => recorded,
  }
}

/** A product for `Records.fill`: ids and times grow with `n`. */
const columns = {
  account_id: "account_id",
  id: "(lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint + n), 12, '0') || '7000' || substr(md5(n::text), 1, 16))::uuid",
  name: "name",
  description: "NULL",
  store_id: "store_id",
  customizable: "true",
  base_image_url: "NULL",
  variants: "'[]'::json",
  created_at: "date_trunc('milliseconds', now()) - interval '1 day' + n * interval '1 millisecond'",
  updated_at: "date_trunc('milliseconds', now()) - interval '1 day' + n * interval '1 millisecond'",
}

/** The reference server, with its access log off as the twin's is. */
export const makeHttpApi = async (databaseUrl: string): Promise<HttpApi> => {
  const config = configure(databaseUrl)
  const { url } = await Server.start(config).pipe(
    Effect.provideService(HttpSettings, { base_path: "", log_requests: false, key_use_interval_ms: 5_000 }),
    Scope.provide(Scope.makeUnsafe()),
    Effect.runPromise,
  )
  const otherKey = `tc_${"fedcba9876543210".repeat(4)}`
  const runtime = ManagedRuntime.make(StorageLayer.layer(config))
  return runtime.runPromise(
    Effect.gen(function* () {
      const stores = yield* Stores
      const account = yield* (yield* Accounts).ensure(Account.DEFAULT_NAME)
      const other = yield* (yield* Accounts).ensure("other")
      const { id: store_id } = yield* stores.create(account.id, store)
      const { id: other_store } = yield* stores.create(other.id, store)
      const input = { name: "Hoodie", description: null, customizable: true, base_image_url: null, variants: [] }
      const product = yield* (yield* Products).create(account.id, { ...input, store_id })
      yield* (yield* ApiKeys).create({
        id: Id.ApiKeyId.id.make(crypto.randomUUID()),
        account_id: other.id,
        name: "other",
        prefix: ApiKey.prefixOf(otherKey),
        hash: ApiKey.hash(otherKey),
        scopes: ["read", "write"],
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        created_at: new Date().toISOString(),
      })
      return {
        url,
        key: bootstrapKey,
        account: account.id,
        store: store_id,
        product: product.id,
        other: { key: otherKey, account: other.id, store: other_store },
        products: { name: "tc.products", columns },
      }
    }),
  )
}
