/** A client of a PostgreSQL that waits for nothing without a limit: not for a connection, a statement, or a silent host. */
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { connect as connectSocket } from "node:net"
import { DATABASE_CONNECTIONS } from "../Config.ts"
import * as Silence from "./Silence.ts"

export interface Options {
  /** `postgres://user:password@host:5432/database`, with the parameters that libpq knows. */
  readonly url: Redacted.Redacted
  /** Connections at most. Default 20. */
  readonly connections?: number
}

/** A record can be 12 MiB, and a statement carries it twice: as a row and as an event. */
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024
/** Milliseconds to connect, authentication included. */
const CONNECT_TIMEOUT_MS = 5_000
/** Idle time after which TCP itself asks whether the other end is there. */
const KEEP_ALIVE_MS = 10_000

type Parameters = Readonly<Record<string, string>>

/**
 * Milliseconds after which PostgreSQL ends a statement, and sooner a transaction whose process does not go on with it: a
 * statement that waits for what a frozen process has locked gets it.
 */
const limits: Parameters = { statement_timeout: "30000", idle_in_transaction_session_timeout: "20000" }

/** What connections of any purpose have in common. */
const common = { applicationName: "tc-server", connectTimeout: CONNECT_TIMEOUT_MS, maxMessageSize: MESSAGE_MAX_BYTES }

/** Where a URL leads: to a host and port, or to a socket in a directory. */
const target = (url: URL) => {
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, "$1"))
  const port = Number(url.searchParams.get("port") ?? (url.port === "" ? 5432 : url.port))
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host: host === "" ? "localhost" : host, port }
}

const dial = (url: Redacted.Redacted) => {
  const where = target(new URL(Redacted.value(url)))
  return () => connectSocket({ ...where, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS })
}

/** Opens a connection and closes it again. */
const knock = (url: Redacted.Redacted, startupParameters: Parameters) =>
  Effect.scoped(PgConnection.make({ ...common, url, startupParameters }))

/** Whether the database could not be reached. A refusal is an answer. */
export const isUnreachable = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "ConnectionError" && !isOfPooler(error)

/** Poolers refuse parameters that they do not know before they look for a database. */
const isOfPooler = ({ reason }: SqlError.SqlError) =>
  reason.cause instanceof Error && reason.cause.message.includes("unsupported startup parameter")

/** The limits, where connections may have them. */
const allowed = (url: Redacted.Redacted) =>
  knock(url, limits).pipe(
    Effect.as(limits),
    Effect.catchIf(isOfPooler, () =>
      Effect.as(
        Effect.logWarning(
          "the pooler before the database takes no statement_timeout: statements have no limit there unless its user has one (ALTER ROLE … SET statement_timeout)",
        ),
        {},
      ),
    ),
    // Whoever uses the client is told.
    Effect.catch(() => Effect.succeed(limits)),
  )

/** For requests and deliveries: many connections, shared, each with its limits. */
export const layer = ({ url, connections = DATABASE_CONNECTIONS }: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const answers = knock(url, {}).pipe(
        Effect.as(true),
        Effect.catch((error) => Effect.succeed(!isUnreachable(error))),
      )
      const stream = yield* Silence.watch({ dial: dial(url), answers })
      const startupParameters = yield* allowed(url)
      return PgClient.layer({ ...common, url, startupParameters, stream, maxConnections: connections, multiplex: true })
    }),
  )

/** For migrations, which take as long as they take: no limit but that the other end has to be there. */
export const layerPatient = ({ url, connections = 2 }: Options) =>
  PgClient.layer({ ...common, url, maxConnections: connections, keepAlive: KEEP_ALIVE_MS })
