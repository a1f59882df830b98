/** The HTTP server over services of a program's own. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { layerMemory, layerPostgres, migrate, Storage } from "@tc/store"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { connect } from "node:net"
import { Bootstrap, SecretBox, Sender, Service } from "../../src/index.ts"
import { Server } from "../../src/node/index.ts"
import * as Database from "../blackbox/Database.ts"

const serviceOf = <E, R>(storage: Service.Options<E, R, never, never, never, never>["storage"]) =>
  Service.layer({
    storage,
    sender: Layer.succeed(Sender, { send: () => Effect.never }),
    secrets: SecretBox.layer(new Uint8Array(SecretBox.KEY_BYTES)),
    http: { log_requests: false },
  })

const get = (url: string) => Effect.promise(() => fetch(url))

it.live("serves records of a storage that the program brings, over its own SqlClient", () =>
  Effect.gen(function* () {
    const url = Redacted.make((yield* Effect.promise(() => Database.create())).href)
    const client = yield* Layer.build(PgClient.layer({ url }))
    yield* Effect.provideContext(migrate, client)
    const service = yield* Layer.build(serviceOf(Layer.provide(layerPostgres, Layer.succeedContext(client))))
    const { key } = yield* Effect.provideContext(Bootstrap.run(null), service)
    const origin = yield* Server.serve(Layer.succeedContext(service), { port: 0 })
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const body = JSON.stringify({ name: "Riverside", platform: "swell" })
    const created = yield* Effect.promise(() => fetch(`${origin}/api/v1/stores`, { method: "POST", headers, body }))
    assert.strictEqual(created.status, 201)
    const rows = yield* Context.get(client, SqlClient.SqlClient)`SELECT name FROM tc.stores`
    assert.deepStrictEqual(rows, [{ name: "Riverside" }])
  }),
)

it.live("refuses what is no HTTP in the form of all failures", () =>
  Effect.gen(function* () {
    const { port } = new URL(yield* Server.serve(serviceOf(layerMemory), { port: 0 }))
    const answer = yield* Effect.promise(async () => {
      const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8")
      let text = ""
      socket.on("data", (more) => (text += more)).write("nonsense\r\n\r\n")
      await once(socket, "close")
      return text
    })
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    assert.match(head, /^HTTP\/1.1 400 /)
    assert.deepInclude(JSON.parse(body), { error: "Bad Request", code: "malformed_request" })
  }),
)

it.live("has health and documents alone where it is told so", () =>
  Effect.gen(function* () {
    const origin = yield* Server.serve(serviceOf(layerMemory), { port: 0, routes: "system" })
    assert.strictEqual((yield* get(`${origin}/health/ready`)).status, 200)
    assert.strictEqual((yield* get(`${origin}/api/v1/stores`)).status, 404)
  }),
)

it.live("fails with the reason where the address is in use", () =>
  Effect.gen(function* () {
    const { port } = new URL(yield* Server.serve(serviceOf(layerMemory), { port: 0 }))
    const error = yield* Effect.flip(Server.serve(serviceOf(layerMemory), { port: Number(port) }))
    assert.instanceOf(error, Server.ListenError)
    assert.include(error.message, port)
  }),
)

it.live("answers requests under way when its scope closes, before the storage ends", () =>
  Effect.gen(function* () {
    const happened: Array<string> = []
    const [asked, go_on] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const ready = Effect.gen(function* () {
      yield* Deferred.succeed(asked, undefined)
      yield* Deferred.await(go_on)
      happened.push("the request was served")
    })
    const storage = Layer.merge(
      layerMemory,
      Layer.effect(
        Storage,
        Effect.as(
          Effect.addFinalizer(() => Effect.sync(() => happened.push("the storage ended"))),
          { ready },
        ),
      ),
    )
    const scope = yield* Scope.make()
    const origin = yield* Scope.provide(Server.serve(serviceOf(storage), { port: 0 }), scope)
    const call = yield* Effect.forkChild(get(`${origin}/health/ready`))
    yield* Deferred.await(asked)
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* Deferred.succeed(go_on, undefined)
    const { headers, status } = yield* Fiber.join(call)
    assert.deepStrictEqual([status, headers.get("connection")], [200, "close"])
    yield* Fiber.join(closing)
    assert.deepStrictEqual(happened, ["the request was served", "the storage ended"])
  }),
)
