/** The storage that the configuration names, ready for use: started, reached, and with its schema up to date. */
import { PgClient } from "@effect/sql-pg"
import { layerMemory, layerPostgres, migrate } from "@tc/store"
import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import type { Config, Storage } from "../Config.ts"
import * as EmbeddedPostgres from "./EmbeddedPostgres.ts"

/** Connections that one process keeps to its embedded PostgreSQL at most. */
const EMBEDDED_CONNECTIONS = 20
/** A record can be 10 MiB, and a statement carries it twice: as a row and as an event. */
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024
/** How long a start waits for a database that does not answer yet. */
const PATIENCE = Duration.seconds(60)

const client = (url: Redacted.Redacted, connections: number) =>
  PgClient.layer({
    url,
    maxConnections: connections,
    multiplex: true,
    maxMessageSize: MESSAGE_MAX_BYTES,
    applicationName: "tc-server",
    connectTimeout: "10 seconds",
  })

/** A client of the database that the configuration names; embedded PostgreSQL is started or joined for it. */
const database = (storage: Exclude<Storage, { readonly kind: "memory" }>) =>
  storage.kind === "postgres"
    ? client(storage.url, storage.connections)
    : Layer.unwrap(
        Effect.map(EmbeddedPostgres.make({ dataDir: storage.data_dir }), ({ url }) =>
          client(url, EMBEDDED_CONNECTIONS),
        ),
      )

const isUnreachable = (error: { readonly _tag: string; readonly reason?: { readonly _tag: string } | string }) =>
  error._tag === "SqlError" && typeof error.reason === "object" && error.reason._tag === "ConnectionError"

/** Migrates, waiting for a database that starts at the same time as this process. */
export const migrated = migrate.pipe(
  Effect.tapError((error) =>
    isUnreachable(error) ? Effect.logWarning("waiting for the database", error) : Effect.void,
  ),
  Effect.retry({
    while: isUnreachable,
    schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: PATIENCE })),
  }),
)

/** The database alone, for the command that migrates it. */
export const layerDatabase = (storage: Exclude<Storage, { readonly kind: "memory" }>) => database(storage)

/** Every service of the storage. */
export const layer = ({ storage }: Pick<Config, "storage">) =>
  storage.kind === "memory"
    ? layerMemory
    : layerPostgres.pipe(Layer.provide(Layer.effectDiscard(migrated)), Layer.provide(database(storage)))
