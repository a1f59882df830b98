/** The reference server: everything wired together as the configuration says. */
import { NodeHttpServer } from "@effect/platform-node"
import { Console, Context, Effect, Layer, Logger, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer, type RequestListener, type Server } from "node:http"
import { Attempts } from "../Attempts.ts"
import * as Bootstrap from "../Bootstrap.ts"
import type { Config } from "../Config.ts"
import { DeliverySettings } from "../DeliverySettings.ts"
import * as Dispatcher from "../Dispatcher.ts"
import * as Http from "../http/Http.ts"
import { Mailbox } from "../Mailbox.ts"
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

/** Storage, secrets and attempts: what handlers and dispatcher share. */
const services = (config: Config) =>
  Layer.mergeAll(StorageLayer.layer(config), Attempts.layer.pipe(Layer.provide(UndiciSender.layer()))).pipe(
    Layer.provideMerge(SecretKey.layer(config)),
    Layer.provideMerge(Mailbox.layer),
    Layer.provideMerge(Layer.succeed(DeliverySettings, config.deliveries)),
  )

/** Answers while the routes are being built: a request that came then would never be answered. */
const early: RequestListener = (_, response) => response.writeHead(503, { "retry-after": "1" }).end()

const listening = (config: Config, server: Server) =>
  NodeHttpServer.layer(() => server, {
    host: config.host,
    port: config.port,
    gracefulShutdownTimeout: DRAIN,
  })

/** A server that accepts requests. */
export interface Started {
  /** Its origin, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** The key that a first start makes when the operator gives none; nobody can see it again. */
  readonly first_key: string | null
}

/** Starts everything; when the scope closes, requests end first, then deliveries, then the storage. */
export const start = Effect.fnUntraced(function* (config: Config) {
  const context = yield* Layer.build(services(config))
  const shared = Layer.succeedContext(context)
  const bootstrap = config.bootstrap_api_key === null ? null : Redacted.value(config.bootstrap_api_key)
  const first_key = config.role === "worker" ? null : yield* Bootstrap.run(bootstrap).pipe(Effect.provide(shared))
  if (config.role !== "api") yield* Layer.build(Dispatcher.layer.pipe(Layer.provide(shared)))

  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS })
  server.on("request", early)
  const routes = config.role === "worker" ? Http.layerSystem : Http.layer
  const http = yield* Layer.build(
    HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide(shared),
      Layer.provideMerge(listening(config, server)),
    ),
  )
  server.off("request", early)
  const { address } = Context.get(http, HttpServer.HttpServer)
  return { url: HttpServer.formatAddress(address), first_key } satisfies Started
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
