/** The reference server: everything wired together as the configuration says. */
import { NodeHttpServer } from "@effect/platform-node"
import { Console, Context, Data, Effect, Layer, Logger, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer, type Server, type ServerResponse } from "node:http"
import * as Bootstrap from "../Bootstrap.ts"
import type { Config } from "../Config.ts"
import * as Http from "../http/Http.ts"
import { HttpSettings } from "../http/HttpSettings.ts"
import * as Service from "../Service.ts"
import * as Refusals from "./Refusals.ts"
import * as SecretKey from "./SecretKey.ts"
import * as StorageLayer from "./StorageLayer.ts"
import * as UndiciSender from "./UndiciSender.ts"

/** Time for a client to send its headers, and a whole request. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
/** Time for requests under way to end at a shutdown. */
const DRAIN = "10 seconds"

/** Log lines go to standard error, so that what a command prints stays apart from them. */
export const layerLog = ({ log }: Pick<Config, "log">) =>
  Layer.merge(
    // `Logger.consoleJson` writes to standard output whatever `LogToStderr` says.
    Logger.layer([log === "json" ? Logger.withConsoleError(Logger.formatJson) : Logger.consolePretty()]),
    Layer.succeed(Logger.LogToStderr, true),
  )

/** Once it is called, connections end with the answer that is under way: callers that keep them busy would keep us, too. */
const leaving = (server: Server): (() => void) => {
  const open = new Set<ServerResponse>()
  let isLeaving = false
  server.on("request", (_, response) => {
    if (isLeaving) response.shouldKeepAlive = false
    open.add(response)
    response.on("close", () => open.delete(response))
  })
  return () => {
    isLeaving = true
    for (const response of open) response.shouldKeepAlive = false
  }
}

const listening = (config: Config, server: Server) =>
  NodeHttpServer.layer(() => server, {
    host: config.host,
    port: config.port,
    gracefulShutdownTimeout: DRAIN,
  })

/** The address cannot be listened on; the message is the operating system's. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

/** A server that accepts requests. */
export interface Started {
  /** Its origin, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** The key that a first start makes when the operator gives none; nobody can see it again. */
  readonly first_key: string | null
}

/** Starts everything; when the scope closes, requests end first, then deliveries, then the storage. */
export const start = Effect.fnUntraced(function* (config: Config) {
  const service = Service.layer({
    storage: StorageLayer.layer(config),
    sender: UndiciSender.layer(),
    secrets: SecretKey.layer(config),
    deliveries: config.deliveries,
    http: yield* HttpSettings,
    deliver: config.role !== "api",
  })
  const shared = Layer.succeedContext(yield* Layer.build(service))

  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    requireHostHeader: false,
  })
  server.on("clientError", Refusals.unreadable)
  server.on("checkExpectation", Refusals.unexpected)
  server.on("request", Refusals.early)
  const leave = leaving(server)
  const routes = config.role === "worker" ? Http.layerSystem : Http.layer
  const http = yield* Layer.build(
    HttpRouter.serve(Layer.provideMerge(routes, Refusals.layerHost), {
      disableLogger: true,
      disableListenLog: true,
    }).pipe(Layer.provide(shared), Layer.provideMerge(listening(config, server))),
  ).pipe(
    Effect.catchTag("ServeError", ({ cause }) =>
      Effect.fail(new ListenError({ message: cause instanceof Error ? cause.message : String(cause) })),
    ),
  )
  server.off("request", Refusals.early)
  yield* Effect.addFinalizer(() => Effect.sync(leave))
  // Not before the address is had: a start that fails there would take a key with it that nobody has seen.
  const bootstrap = config.bootstrap_api_key === null ? null : Redacted.value(config.bootstrap_api_key)
  const first = config.role === "worker" ? null : yield* Bootstrap.run(bootstrap).pipe(Effect.provide(shared))
  const { address } = Context.get(http, HttpServer.HttpServer)
  return { url: HttpServer.formatAddress(address), first_key: first?.key ?? null } satisfies Started
})

/** Runs until it is interrupted. */
export const run = Effect.fnUntraced(function* (config: Config) {
  if (config.deliveries.allow_private) {
    yield* Effect.logWarning(
      "TC_WEBHOOK_ALLOW_PRIVATE is on: webhooks may go to http and private addresses. Never in production.",
    )
  }
  const { url, first_key } = yield* start(config)
  if (first_key !== null) yield* Console.log(`API key for the account "default", shown only now: ${first_key}`)
  yield* Console.log(`listening on ${url}`)
  return yield* Effect.never
}, Effect.scoped)
