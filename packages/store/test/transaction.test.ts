/** An event that a program raises in a transaction of its own shares its fate. */
import { assert, it } from "@effect/vitest"
import { Sample } from "@tc/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Events, layerPostgres } from "../src/index.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import { Recorder } from "../src/testing/Recorder.ts"
import * as Database from "./Database.ts"

const event = { event: "bulk_order.completed", data: Sample.bulk_order } as const

const storage = layerPostgres.pipe(Layer.provideMerge(Recorder.layerHandoff), Layer.provideMerge(Database.layer()))

it.layer(storage, { excludeTestServices: true })("an event raised in a transaction of the program", (it) => {
  it.effect("is gone when that is rolled back, and nobody was told", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const recorder = yield* Recorder
      const account_id = yield* Fixture.account
      yield* Fixture.endpoint(account_id)
      recorder.start(60_000)
      const rolledBack = Effect.andThen(events.emit(account_id, event), Effect.fail("changed our mind"))
      assert.strictEqual(yield* Effect.flip(sql.withTransaction(rolledBack)), "changed our mind")
      assert.deepStrictEqual(yield* Fixture.told(account_id), [])
      assert.deepStrictEqual(yield* Fixture.deliveries(account_id), [])
      assert.deepStrictEqual(recorder.offered, [])
    }),
  )

  it.effect("is handed over once that is committed, with what the program wrote beside it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const recorder = yield* Recorder
      const account_id = yield* Fixture.account
      yield* Fixture.endpoint(account_id)
      yield* sql`CREATE TABLE orders (id uuid PRIMARY KEY)`
      recorder.start(60_000)
      const id = yield* sql.withTransaction(
        Effect.gen(function* () {
          const id = yield* events.emit(account_id, event)
          yield* sql`INSERT INTO orders VALUES (${id})`
          assert.deepStrictEqual(recorder.offered, [])
          return id
        }),
      )
      assert.deepStrictEqual(
        recorder.offered.map(({ event }) => event),
        ["bulk_order.completed"],
      )
      assert.deepStrictEqual(yield* sql`SELECT id FROM orders`, [{ id }])
    }),
  )
})
