/** Throttles in PostgreSQL. */
import { Value } from "@tc/domain"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Service from "../Throttles.ts"
import * as Failure from "./Failure.ts"
import * as Pruning from "./Pruning.ts"

/** Keys are taken in one order, so that no two statements wait for each other. */
const takeText = `
  INSERT INTO tc.throttles AS t (key, tries, over_at)
  SELECT key, count(*), $3::timestamptz FROM unnest($1::text[]) AS key GROUP BY key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    tries = CASE WHEN t.over_at <= $2 THEN 0 ELSE t.tries END + excluded.tries,
    over_at = CASE WHEN t.over_at <= $2 THEN excluded.over_at ELSE t.over_at END
  RETURNING key, tries, over_at`

interface Row {
  readonly key: string
  readonly tries: number
  readonly over_at: Date
}

export const layer = Layer.effect(
  Service.Throttles,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const prune = Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      Pruning.prune(sql, "throttles", "key", "over_at <= $1", [Value.timestamp(millis)]),
    )
    return Service.Throttles.of({
      take: (limits, window_ms) =>
        Effect.gen(function* () {
          const millis = yield* Clock.currentTimeMillis
          const keys = limits.map(({ key }) => key)
          const params = [keys, Value.timestamp(millis), Value.timestamp(millis + window_ms)]
          const rows = yield* sql.unsafe<Row>(takeText, params)
          const windows = rows.map(({ key, tries, over_at }) => [key, { tries, over_at: over_at.getTime() }] as const)
          return Service.comeBackAt(limits, new Map(windows))
        }).pipe(Failure.orDie),
      prune: prune.pipe(Failure.orDie),
    })
  }),
)
