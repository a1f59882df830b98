import { ApiKey, Value } from "@tc/domain"
import { Accounts, ApiKeys, Stores, layerMemory } from "@tc/store"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, Headers } from "effect/http"
import { Attempts } from "../../src/Attempts.ts"
import * as Http from "../../src/http/Http.ts"
import { HttpSettings } from "../../src/http/HttpSettings.ts"
import { newId } from "../../src/http/Incoming.ts"
import * as SecretBox from "../../src/SecretBox.ts"
const key = "tc_" + "ab".repeat(32)
const main = Effect.gen(function*() {
  const mem: any = yield* Layer.build(layerMemory)
  const account = yield* Context.get(mem, Accounts).ensure("default")
  const row = yield* Context.get(mem, ApiKeys).create({ id: newId(Date.now()) as any, account_id: account.id, name: "t", last_used_at: null, prefix: ApiKey.prefixOf(key), hash: ApiKey.hash(key), created_at: Value.timestamp(Date.now()), scopes: ["read","write","delete"], expires_at: null, revoked_at: null } as any)
  const found = yield* Context.get(mem, ApiKeys).findByPrefix(ApiKey.prefixOf(key))
  const store = yield* Context.get(mem, Stores).create(account.id, { name: "A", platform: "swell" } as any)
  let ctx = Context.add(mem, ApiKeys, { ...Context.get(mem, ApiKeys), findByPrefix: () => Effect.succeed(found) })
  ctx = Context.add(ctx, Stores, { ...Context.get(mem, Stores), get: () => Effect.succeed(store), create: () => Effect.succeed(store) } as any)
  const http: any = yield* HttpRouter.toHttpEffect(Http.layer.pipe(Layer.provide(Layer.succeedContext(ctx as any)), Layer.provide(SecretBox.layer(new Uint8Array(32))),
    Layer.provide(Layer.succeed(Attempts, { make: () => Effect.die("x") })), Layer.provide(Layer.succeed(HttpSettings, { log_requests: false, key_use_interval_ms: 5000 })), Layer.provide(HttpServer.layerServices)) as any)
  const scope = yield* Effect.scope
  const base = yield* Effect.context<never>()
  const cases: any = {
    live: { method: "GET", url: "/health/live" },
    get: { method: "GET", url: "/api/v1/stores/" + store.id },
    list: { method: "GET", url: "/api/v1/stores?page=2&per_page=5" },
    post: { method: "POST", url: "/api/v1/stores", body: JSON.stringify({ name: "A", platform: "swell", domain: "a.example" }) },
    bad: { method: "POST", url: "/api/v1/stores", body: JSON.stringify({ name: "A", platform: "" }) },
  }
  const headers = Headers.fromInput({ authorization: "Bearer " + key, "content-type": "application/json", host: "x", "content-length": "20" })
  const mk = (c: any) => {
    const r: any = HttpServerRequest.fromWeb(new Request("http://x" + c.url, { method: c.method }))
    Object.defineProperty(r, "headers", { value: headers }); Object.defineProperty(r, "method", { value: c.method })
    Object.defineProperty(r, "text", { value: Effect.succeed(c.body) })
    return r
  }
  for (const name of process.argv[2]?.split(",") ?? Object.keys(cases)) {
    const request = mk(cases[name])
    const once = () => Effect.runSyncExit(Effect.provideContext(http, Context.add(Context.add(base, HttpServerRequest.HttpServerRequest, request), Scope.Scope, scope)) as any)
    const e: any = once(); if (Exit.isFailure(e)) console.log(e)
    const N = Number(process.argv[3] ?? 30000)
    for (let i = 0; i < 5000; i++) once()
    const a = process.cpuUsage(); const t = performance.now()
    for (let i = 0; i < N; i++) once()
    const b = process.cpuUsage(a)
    console.log(name, (e.value?.status), ((b.user + b.system) / N).toFixed(2), "us")
  }
})
Effect.runPromise(Effect.scoped(main))
