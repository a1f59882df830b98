import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { createServer } from "node:http"
import { Account, ApiKey, Value } from "@tc/domain"
import { Accounts, ApiKeys, layerMemory } from "@tc/store"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Attempts } from "../../src/Attempts.ts"
import * as Http from "../../src/http/Http.ts"
import { HttpSettings } from "../../src/http/HttpSettings.ts"
import { newId } from "../../src/http/Incoming.ts"
import * as SecretBox from "../../src/SecretBox.ts"
const key = "tc_" + "ab".repeat(32)
const seed = Layer.effectDiscard(Effect.gen(function*() {
  const account = yield* (yield* Accounts).ensure("default")
  yield* (yield* ApiKeys).create({ id: newId(Date.now()) as any, account_id: account.id, name: "t", last_used_at: null, prefix: ApiKey.prefixOf(key), hash: ApiKey.hash(key), created_at: Value.timestamp(Date.now()), scopes: ["read","write","delete"], expires_at: null, revoked_at: null })
}))
const main = HttpRouter.serve(Http.layer, { disableLogger: true }).pipe(
  Layer.provide(seed), Layer.provide(layerMemory), Layer.provide(SecretBox.layer(new Uint8Array(32))),
  Layer.provide(Layer.succeed(Attempts, { make: () => Effect.die("x") })),
  Layer.provide(Layer.succeed(HttpSettings, { log_requests: false, key_use_interval_ms: 5000 })),
  Layer.provide(NodeHttpServer.layer(() => createServer(), { port: 3999, host: "127.0.0.1" })))
Layer.launch(main).pipe(NodeRuntime.runMain)
