/** The storage that the configuration names, ready for use: started, reached, and with its schema up to date. */
import { layerMemory, layerPostgres, migrate } from "@tc/store"
import { Data, Duration, Effect, Layer, Schedule } from "effect"
import { SqlError } from "effect/sql"
import type { Config, Storage } from "../Config.ts"
import * as Database from "./Database.ts"
import * as EmbeddedPostgres from "./EmbeddedPostgres.ts"
import * as Listener from "./Listener.ts"

/** How long a start waits for a database that does not answer yet. */
const PATIENCE = Duration.seconds(60)

/** Where records are kept beyond this process. */
export type Durable = Exclude<Storage, { readonly kind: "memory" }>

/** Where the database is; embedded PostgreSQL is started or joined for as long as the scope is open. */
const reach = (storage: Durable) =>
  storage.kind === "postgres"
    ? Effect.succeed(storage)
    : Effect.map(EmbeddedPostgres.make({ dataDir: storage.data_dir }), ({ url }) => ({ url }))

/** The database cannot be used; the message says why, in its own words or those of the operating system. */
export class DatabaseError extends Data.TaggedError("DatabaseError")<{ readonly message: string }> {}

const called = { postgres: "database of DATABASE_URL", embedded: "embedded database" } as const

const explained = ({ kind }: Durable, error: SqlError.SqlError) => {
  const { cause } = error.reason
  const why = cause instanceof Error ? cause.message : error.message
  return new DatabaseError({ message: `The ${called[kind]} cannot be used: ${why}` })
}

const isUnreachable = (error: unknown) => SqlError.isSqlError(error) && Database.isUnreachable(error)

const migrateAt = (storage: Durable, { url }: Pick<Database.Options, "url">) =>
  migrate.pipe(
    Effect.tapError((error) =>
      isUnreachable(error) ? Effect.logWarning("waiting for the database", error) : Effect.void,
    ),
    Effect.retry({
      while: isUnreachable,
      schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: PATIENCE })),
    }),
    Effect.provide(Database.layerPatient({ url })),
    Effect.mapError((error) => (SqlError.isSqlError(error) ? explained(storage, error) : error)),
  )

/** Migrates, waiting for a database that starts at the same time as this process. Answers the names of what it ran. */
export const migrated = (storage: Durable) =>
  Effect.scoped(Effect.flatMap(reach(storage), (database) => migrateAt(storage, database)))

/** Every service of the storage. With `listens`, for a process that delivers, it hears what other processes tell. */
export const layer = ({ storage }: Pick<Config, "storage">, { listens = false }: { readonly listens?: boolean } = {}) =>
  storage.kind === "memory"
    ? layerMemory
    : Layer.unwrap(
        Effect.gen(function* () {
          const database = yield* reach(storage)
          yield* migrateAt(storage, database)
          return (listens ? Layer.merge(layerPostgres, Listener.layer) : layerPostgres).pipe(
            Layer.provide(Database.layer(database)),
          )
        }),
      )
