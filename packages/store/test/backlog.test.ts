/** An endpoint for which very many deliveries wait. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerPostgres, WebhookEndpoints } from "../src/index.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Database from "./Database.ts"

const live = { excludeTestServices: true }

/** More than two statements cancel, and more of them due at one moment than one does. */
const WAITING = 25_000

/** Notes how many rows each statement changes that cancels. */
const watch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE tc.changes (count int)`
  yield* sql`CREATE FUNCTION tc.note() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO tc.changes SELECT count(*) FROM changed WHERE status = 'canceled'; RETURN NULL; END $$`
  yield* sql`CREATE TRIGGER note AFTER UPDATE ON tc.deliveries REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tc.note()`
})

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("a large backlog", (it) => {
  it.effect("is canceled by statements that end soon, in one transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account_id = yield* Fixture.account
      const endpoint = yield* Fixture.endpoint(account_id)
      yield* Fixture.asset(account_id)
      yield* sql`
        INSERT INTO tc.deliveries
        SELECT (d).* FROM (
          SELECT jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(),
            'due_at', d.due_at + greatest(0, n - 11000) * interval '1 second')) AS d
          FROM tc.deliveries d, generate_series(1, ${WAITING - 1}) AS n
        ) AS more`
      yield* watch
      yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
      const rows = yield* sql<{ readonly status: string; readonly count: number }>`
        SELECT status, count(*)::int AS count FROM tc.deliveries GROUP BY status`
      assert.deepStrictEqual(rows, [{ status: "canceled", count: WAITING }])
      const changes = yield* sql<{ readonly count: number }>`SELECT count FROM tc.changes`
      assert.isAtMost(Math.max(...changes.map(({ count }) => count)), 10_000)
    }),
  )
})
