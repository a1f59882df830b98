/** An HTTP server for the service, and the reference server: everything wired together as the configuration says. */
import { NodeHttpServer } from "@effect/platform-node"
import { type Authorization as Middleware, Dashboard as Api } from "@tc/api"
import { Console, Context, Data, Effect, Layer, Logger, Redacted, type Scope } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer, type Server, type ServerResponse } from "node:http"
import * as Bootstrap from "../Bootstrap.ts"
import type { Config } from "../Config.ts"
import * as Dashboard from "../dashboard/Dashboard.ts"
import { DashboardSettings } from "../dashboard/DashboardSettings.ts"
import * as FirstMember from "../dashboard/FirstMember.ts"
import * as Pages from "../dashboard/Pages.ts"
import * as Authorization from "../http/Authorization.ts"
import * as Http from "../http/Http.ts"
import { HttpSettings } from "../http/HttpSettings.ts"
import * as SecretCheck from "../SecretCheck.ts"
import * as Service from "../Service.ts"
import * as PageBuild from "./PageBuild.ts"
import * as Refusals from "./Refusals.ts"
import * as Scrypt from "./Scrypt.ts"
import * as SecretKey from "./SecretKey.ts"
import * as StorageLayer from "./StorageLayer.ts"
import * as UndiciSender from "./UndiciSender.ts"

/** Time for a client to send its headers, and a whole request. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
/** How long a connection may idle: longer than the minute of most load balancers, or they would send on one that closes. */
const KEEP_ALIVE_MS = 75_000
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

/** The address cannot be listened on; the message says which, and why in the words of the operating system. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

const listening = (server: Server, host: string, port: number) =>
  Layer.build(NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: DRAIN })).pipe(
    Effect.catchTag("ServeError", ({ cause }) =>
      Effect.fail(
        new ListenError({
          message: `Cannot listen on host ${host}, port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`,
        }),
      ),
    ),
  )

export interface Options<EA> {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 3000; 0 for any that is free. */
  readonly port?: number
  /** `system` has health, metrics and documents alone, for a process that only delivers. Default `all`. */
  readonly routes?: "all" | "system"
  /** Who calls. Default: the API keys of the storage. */
  readonly authorization?: Layer.Layer<Middleware, EA, Service.Service>
  /** Serves the dashboard as well, with what is set here. Default: not. */
  readonly dashboard?: DashboardSettings
}

const routesOf = <EA>({ authorization = Authorization.layer, dashboard, routes = "all" }: Options<EA>) => {
  if (routes === "system") return Http.layerSystem
  const rest = Layer.provide(Http.layerNoAuthorization, authorization)
  return dashboard === undefined ? rest : Layer.merge(rest, dashboardOf(dashboard))
}

const dashboardOf = (settings: DashboardSettings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const build = yield* PageBuild.load
      if (build === null) yield* Effect.logWarning("The page of the dashboard is not built; its API is served alone.")
      return build === null ? Dashboard.layer : Layer.merge(Dashboard.layer, Pages.layer(build))
    }),
  ).pipe(Layer.provide(Scrypt.layer), Layer.provide(Layer.succeed(DashboardSettings, settings)))

/**
 * Serves a service that `Service.layer` makes, and answers with its origin, such as `http://127.0.0.1:3000`. What Node itself
 * would refuse without a word has the form of all failures. When the scope closes, requests under way end first, then the
 * service.
 */
export const serve = <E, R, EA = never>(
  service: Layer.Layer<Service.Service, E, R>,
  options: Options<EA> = {},
): Effect.Effect<string, E | EA | ListenError, R | Scope.Scope> =>
  Effect.gen(function* () {
    // Before there is a server: a request that came meanwhile would wait for it.
    const context = yield* Layer.build(service)
    const server = createServer({
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false,
    })
    server.on("clientError", Refusals.unreadable)
    server.on("checkExpectation", Refusals.unexpected)
    server.on("request", Refusals.early)
    const leave = leaving(server)
    const { host = "127.0.0.1", port = 3_000 } = options
    const http = yield* listening(server, host, port)
    const routes = Layer.provideMerge(routesOf(options), Refusals.layerHost)
    yield* HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide(Layer.succeedContext(Context.merge(context, http))),
      Layer.build,
    )
    server.off("request", Refusals.early)
    // Nothing here is another protocol. Who asks for one, as some clients do with every request, is answered in this one.
    server.removeAllListeners("upgrade")
    yield* Effect.addFinalizer(() => Effect.sync(leave))
    return HttpServer.formatAddress(Context.get(http, HttpServer.HttpServer).address)
  })

/** A server that accepts requests. */
export interface Started {
  /** Its origin, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** The key that a first start makes when the operator gives none; nobody can see it again. */
  readonly first_key: string | null
  /** The token with which the first member of the dashboard signs up, while there is none. */
  readonly first_token: string | null
}

/** Starts everything; when the scope closes, requests end first, then deliveries, then the storage. */
export const start = Effect.fnUntraced(function* (config: Config) {
  const { bootstrap_api_key, dashboard, deliveries, host, port, role } = config
  const service = Service.layer({
    storage: StorageLayer.layer(config, { listens: role !== "api" }),
    sender: UndiciSender.layer(),
    secrets: SecretKey.layer(config),
    deliveries,
    http: yield* HttpSettings,
    deliver: role !== "api",
  })
  const shared = Layer.succeedContext(yield* Layer.build(service))
  const url = yield* serve(shared, { host, port, routes: role === "worker" ? "system" : "all", dashboard })
  if (role === "worker") return { url, first_key: null, first_token: null } satisfies Started
  // Not before the address is had: a start that fails there would take a key with it that nobody has seen.
  const bootstrap = bootstrap_api_key === null ? null : Redacted.value(bootstrap_api_key)
  const { account_id, key } = yield* Effect.provide(Bootstrap.run(bootstrap), shared)
  yield* Effect.provide(SecretCheck.run(account_id), shared)
  const first_token = yield* Effect.provide(FirstMember.run(dashboard.admin), Layer.merge(shared, Scrypt.layer))
  return { url, first_key: key, first_token } satisfies Started
})

/** Runs until it is interrupted. */
export const run = Effect.fnUntraced(function* (config: Config) {
  if (config.deliveries.allow_private) {
    yield* Effect.logWarning(
      "TC_WEBHOOK_ALLOW_PRIVATE is on: webhooks may go to http and private addresses. Never in production.",
    )
  }
  const { url, first_key, first_token } = yield* start(config)
  if (first_key !== null) yield* Console.log(`API key for the account "default", shown only now: ${first_key}`)
  if (first_token !== null) {
    const page = `${config.dashboard.public_origin ?? url}${Api.PAGES}/sign-up`
    yield* Console.log(`to set up the dashboard, open ${page}#${first_token} (works once)`)
  }
  yield* Console.log(`listening on ${url}`)
  return yield* Effect.never
}, Effect.scoped)
