/** Lists that are narrowed, and endpoints in trouble, where there is much of everything else. */
import { assert, it } from "@effect/vitest"
import { Design } from "@tc/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerPostgres } from "../src/index.ts"
import * as Query from "../src/postgres/Query.ts"
import * as Table from "../src/postgres/Table.ts"
import { troubledText } from "../src/postgres/Tallies.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Database from "./Database.ts"
import { asIs, explain } from "./Explain.ts"

const live = { excludeTestServices: true }
const storage = layerPostgres.pipe(Layer.provideMerge(Database.layer()))

/** The nth of many ids that begin with a digit. */
const nth = (digit: number) => `('${digit}' || lpad(n::text, 7, '0') || '-0000-7000-9000-000000000000')::uuid`

/** The first of two for every twentieth. */
const either = (of: ReadonlyArray<{ readonly id: string }>) =>
  `CASE WHEN n % 20 = 0 THEN '${of[0]?.id}' ELSE '${of[1]?.id}' END::uuid`

it.layer(storage, live)("designs of an account that has many", (it) => {
  it.effect(
    "are listed and counted by the index alone, whatever narrows them, on the first page and on a deep one",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const account_id = yield* Fixture.account
        const stores = [yield* Fixture.store(account_id), yield* Fixture.store(account_id)] as const
        const products = yield* Effect.forEach(stores, ({ id }) => Fixture.product(account_id, id))
        yield* sql.unsafe(`
        INSERT INTO tc.designs SELECT '${account_id}', ${nth(1)}, ${either(products)}, ${either(stores)}, 'session ' || n,
          CASE WHEN n % 30 = 0 THEN 'finalized' ELSE 'draft' END, false, repeat('x', 1000), NULL, '{}',
          now() - n * interval '1 second', now()
        FROM generate_series(1, 20000) AS n`)
        yield* sql`VACUUM ANALYZE tc.designs`
        const view = Table.make(Design.resource).summary
        const status = "finalized"
        const filters = [{}, { status }, { store_id: stores[0].id }, { status, store_id: stores[0].id }]
        for (const where of filters) {
          for (const page of [1, 40]) {
            const { rows, count } = Query.statements(Design.resource, view, account_id, { page, per_page: 5, where })
            const [listed, counted] = [
              yield* explain(rows.text, rows.params, asIs),
              yield* explain(count.text, count.params, asIs),
            ]
            assert.deepStrictEqual(
              listed.kinds,
              ["Index Only Scan", "Index Scan"],
              `${rows.text} ${rows.params.join()}`,
            )
            assert.isAtMost(listed.most, 200, `${rows.text} ${rows.params.join()}`)
            assert.deepStrictEqual(counted.kinds, ["Index Only Scan"], `${count.text} ${count.params.join()}`)
          }
        }
      }),
  )
})

it.layer(storage, live)("endpoints in trouble", (it) => {
  it.effect("are found without a look at those that are in none, however many these are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account_id = yield* Fixture.account
      const { id } = yield* Fixture.endpoint(account_id)
      yield* sql.unsafe(`
        INSERT INTO tc.webhook_endpoints (account_id, id, url, events, status, consecutive_failures, secret, created_at, updated_at)
        SELECT account_id, ${nth(2)}, url, events, CASE n WHEN 1 THEN 'auto-disabled' ELSE status END, CASE n WHEN 2 THEN 3 ELSE 0 END,
          secret, created_at, updated_at
        FROM tc.webhook_endpoints, generate_series(1, 5000) AS n WHERE account_id = '${account_id}' AND id = '${id}'`)
      // Each with attempts in three hours; of every hundredth all have failed.
      yield* sql.unsafe(`
        INSERT INTO tc.endpoint_tallies (account_id, endpoint_id, hour, latest_at, succeeded, retried, failed)
        SELECT '${account_id}', ${nth(2)}, date_trunc('hour', now()) - h * interval '1 hour', now(),
          CASE WHEN n % 100 = 0 THEN 0 ELSE 9 END, 0, CASE WHEN n % 100 = 0 THEN 9 ELSE 0 END
        FROM generate_series(1, 5000) AS n, generate_series(0, 2) AS h`)
      yield* sql`VACUUM ANALYZE tc.webhook_endpoints, tc.endpoint_tallies`
      const since = new Date(Date.now() - 86_400_000).toISOString()
      const params = [account_id, since, 0.9, 10]
      const [found] = yield* sql.unsafe<{ readonly status: string }>(troubledText, params)
      assert.strictEqual(found?.status, "auto-disabled")
      // 52 endpoints, with three hours each.
      assert.isAtMost((yield* explain(troubledText, params)).most, 160)
    }),
  )
})
