/** Our reference server as the benchmarks of HTTP drive it. */
import { Account, ApiKey, Id } from "@tc/domain"
import { HttpSettings } from "@tc/server"
import { Server, StorageLayer } from "@tc/server/node"
import { Accounts, ApiKeys, Products, Stores } from "@tc/store"
import { Effect, ManagedRuntime, Scope } from "effect"
import type { HttpApi } from "./HttpApi.ts"
import * as OursConfig from "./OursConfig.ts"

const store = {
  name: "Benchmark",
  platform: "swell",
  domain: null,
  active: true,
  store_url: null,
  external_store_id: null,
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
  const config = OursConfig.make(databaseUrl)
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
        key: OursConfig.bootstrapKey,
        account: account.id,
        store: store_id,
        product: product.id,
        other: { key: otherKey, account: other.id, store: other_store },
        products: { name: "tc.products", columns },
      }
    }),
  )
}
