/** Our delivery engine as the benchmarks drive it: storage and dispatcher embedded, in one process or in two. */
import { Id, WebhookEndpoint } from "@tc/domain"
import { SecretBox, Service } from "@tc/server"
import { SecretKey, StorageLayer, UndiciSender } from "@tc/server/node"
import { Accounts, Assets, Deliveries, Events, WebhookEndpoints } from "@tc/store"
import { Secret } from "@tc/webhooks"
import { Effect, Layer, ManagedRuntime, References, Result, Schema } from "effect"
import { Pool } from "pg"
import * as OursConfig from "./OursConfig.ts"
import type { Payload } from "./Payload.ts"
import type { Options, Pipeline } from "./Pipeline.ts"
import * as StatusCounts from "./StatusCounts.ts"

const counts = "SELECT status, count(*)::int AS deliveries FROM tc.deliveries GROUP BY status"

/** The service with its settlements counted. */
const make = (databaseUrl: string, role: Options["role"], settled: (deliveries: number) => void) => {
  const config = OursConfig.make(databaseUrl)
  const counted = Layer.effect(
    Deliveries,
    Effect.map(Deliveries, (deliveries) => ({
      ...deliveries,
      settle: (settlements, streak) =>
        Effect.tap(deliveries.settle(settlements, streak), (written) =>
          Effect.sync(() =>
            settled(settlements.filter(({ outcome }, n) => written[n] !== null && outcome === "succeeded").length),
          ),
        ),
    })),
  )
  return ManagedRuntime.make(
    Service.layer({
      storage: counted.pipe(Layer.provideMerge(StorageLayer.layer(config, { listens: role !== "accepting" }))),
      sender: UndiciSender.layer(),
      secrets: SecretKey.layer(config),
      deliveries: config.deliveries,
      deliver: role !== "accepting",
    }).pipe(Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))),
  )
}

const asset = (data: Payload) =>
  ({ name: "Asset", asset_type: "clipart", category: null, metadata: { ...data } }) as const

const subscribe = Effect.fnUntraced(function* (account_id: Id.AccountId, url: string) {
  const box = yield* SecretBox.SecretBox
  const id = Id.WebhookEndpointId.id.make(crypto.randomUUID())
  const secret = Secret.make()
  const sealed = yield* box.encrypt(secret, { account_id, endpoint_id: id })
  const given = Schema.decodeSync(WebhookEndpoint.resource.create)({ url, events: ["*"] })
  yield* (yield* WebhookEndpoints).create(account_id, { ...given, id, secret: sealed })
  return secret
})

const unsubscribe = Effect.fnUntraced(function* (account_id: Id.AccountId) {
  const endpoints = yield* WebhookEndpoints
  for (let page = 1; ; page++) {
    const { data } = yield* endpoints.list(account_id, { page, per_page: 100 })
    if (data.length === 0) return
    for (const { id } of data) {
      yield* endpoints.modify(account_id, id, (row, now) =>
        Result.succeed(WebhookEndpoint.patch({ status: "disabled" })(row, now)),
      )
    }
  }
})

/** An event is raised by itself, or with a record by creating an asset that carries its data. */
export const makePipeline = async (
  databaseUrl: string,
  { role, record, accounts: count, account: name = "Benchmark" }: Options,
): Promise<Pipeline> => {
  let recorded = 0
  const runtime = make(databaseUrl, role, (deliveries) => (recorded += deliveries))
  // As a program runs its effects that builds the layer once, without a look at the runtime for each.
  const run = Effect.runPromiseWith(await runtime.context())
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  const { assets, events, accounts } = await runtime.runPromise(
    Effect.gen(function* () {
      const { ensure } = yield* Accounts
      const accounts = yield* Effect.forEach(Array.from({ length: count }), (_, n) => ensure(`${name} ${n}`))
      return { assets: yield* Assets, events: yield* Events, accounts: accounts.map(({ id }) => id) }
    }),
  )
  return {
    subscribe: (urls) =>
      runtime.runPromise(
        Effect.andThen(
          Effect.forEach(accounts, unsubscribe),
          Effect.forEach(urls, (url, n) => subscribe(accounts[n % count]!, url)),
        ),
      ),
    accept: (_, data, account) =>
      record
        ? run(assets.create(accounts[account]!, asset(data)))
        : // Nobody decodes the ids: they are of the same shape as those of a product.
          run(events.emit(accounts[account]!, { event: "product.updated", data: data as never })),
    recorded: () => recorded,
    counts: () => StatusCounts.read(pool, counts),
  }
}
