/** Lists of deliveries in a long history. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerPostgres } from "../src/index.ts"
import { statements } from "../src/postgres/Listing.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Database from "./Database.ts"
import { asIs, explain } from "./Explain.ts"

const live = { excludeTestServices: true }
const DELIVERIES = 20_000
/** Milliseconds between two of them. */
const APART = 1_000

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a span of time in a long history", (it) => {
  it.effect("is all that is read of it, whatever else narrows the list", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account_id = yield* Fixture.account
      const endpoints = [yield* Fixture.endpoint(account_id), yield* Fixture.endpoint(account_id)] as const
      const end = Date.now()
      const id = `(regexp_replace(lpad(to_hex(${end} - n * ${APART}), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7000-') || '9000-000000000000')::uuid`
      yield* sql.unsafe(`
        INSERT INTO tc.deliveries (account_id, id, event_id, endpoint_id, event, status, attempt_count, created_at, updated_at)
        SELECT '${account_id}', ${id}, ${id}, CASE WHEN n % 2 = 0 THEN '${endpoints[0].id}' ELSE '${endpoints[1].id}' END::uuid,
          CASE WHEN n % 3 = 0 THEN 'asset.created' ELSE 'asset.updated' END,
          CASE WHEN n % 5 = 0 THEN 'failed' ELSE 'succeeded' END, 1, now(), now()
        FROM generate_series(1, ${DELIVERIES}) AS n`)
      yield* sql`VACUUM ANALYZE tc.deliveries`
      const time = (ago: number) => new Date(end - ago * APART).toISOString()
      const spans = [
        { since: time(200) },
        { since: time(9_100), until: time(9_000) },
        { until: time(DELIVERIES - 100) },
      ]
      const others = [
        {},
        { endpoint_id: endpoints[0].id },
        { status: "failed" },
        { event: "asset.created" },
        { endpoint_id: endpoints[1].id, status: "failed", event: "asset.created" },
      ] as const
      for (const span of spans) {
        for (const other of others) {
          const { page, count } = statements(account_id, { page: 1, per_page: 100, ...span, ...other })
          for (const { text, params } of [page, count]) {
            const { kinds, most } = yield* explain(text, params, asIs)
            assert.notInclude(kinds, "Seq Scan")
            assert.isAtMost(most, 201, `${text} ${params.join()}`)
          }
        }
      }
    }),
  )
})
