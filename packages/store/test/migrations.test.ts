import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../src/postgres/index.ts"
import * as Database from "./Database.ts"

const live = { excludeTestServices: true }

it.layer(Database.layer(Effect.void), live)("migrations", (it) => {
  it.effect("run once when several processes start together", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.all(
        Array.from({ length: 5 }, () => migrate),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(runs.flat(), ["0001_initial"])
      assert.deepStrictEqual(yield* migrate, [])
    }),
  )

  it.effect("give every table account_id in its primary key", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly table_name: string; readonly columns: ReadonlyArray<string> }>`
        SELECT t.table_name, array_agg(k.column_name::text) AS columns
        FROM information_schema.tables t
        JOIN information_schema.table_constraints c USING (table_schema, table_name)
        JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name)
        WHERE t.table_schema = 'tc' AND c.constraint_type = 'PRIMARY KEY' GROUP BY t.table_name`
      const without = tables
        .filter(({ columns }) => !columns.includes("account_id"))
        .map(({ table_name }) => table_name)
      assert.deepStrictEqual(without.toSorted(), ["accounts", "migrations"])
    }),
  )

  it.effect("make trigram indexes where the extensions are available", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate
      const [available] = yield* sql<{ readonly n: number }>`
        SELECT count(*)::int AS n FROM pg_available_extensions WHERE name IN ('pg_trgm', 'btree_gin')`
      const indexes = yield* sql`SELECT indexname FROM pg_indexes WHERE schemaname = 'tc' AND indexname LIKE '%_search'`
      assert.strictEqual(indexes.length, available?.n === 2 ? 7 : 0)
    }),
  )
})
