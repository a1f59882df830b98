/** PostgreSQL keeps every promise of a storage, and lists without trigram indexes too, and in any locale. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerPostgres, migrate } from "../src/index.ts"
import { Lists, suites } from "../src/testing/index.ts"
import * as Database from "./Database.ts"

const withoutExtensions = Effect.gen(function* () {
  yield* migrate
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP EXTENSION IF EXISTS pg_trgm CASCADE`
})

suites("postgres", layerPostgres.pipe(Layer.provide(Database.layer())))
Lists.suite("postgres without trigram indexes", layerPostgres.pipe(Layer.provide(Database.layer(withoutExtensions))))
Lists.suite("postgres in the locale C", layerPostgres.pipe(Layer.provide(Database.layer(migrate, "C"))))
