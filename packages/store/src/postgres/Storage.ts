/** Whether PostgreSQL answers. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Storage.ts"
import * as Failure from "./Failure.ts"

export const layer = Layer.effect(
  Service.Storage,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Service.Storage.of({
      ready: sql`SELECT 1 FROM tc.accounts LIMIT 1`.pipe(Effect.asVoid, Failure.orDie),
    }),
  ),
)
