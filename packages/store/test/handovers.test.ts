/** Deliveries that are born under a lease cost no more than they must, and are found when it ends before they do. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Deliveries, type Job, layerPostgres } from "../src/index.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Queue from "../src/testing/Queue.ts"
import { Recorder } from "../src/testing/Recorder.ts"
import * as Database from "./Database.ts"

const storage = layerPostgres.pipe(Layer.provideMerge(Recorder.layerHandoff), Layer.provideMerge(Database.layer()))

/** So many deliveries, born under a lease. */
const born = Effect.fnUntraced(function* (count: number, lease_ms: number) {
  const account_id = yield* Fixture.account
  const { id } = yield* Fixture.endpoint(account_id)
  const recorder = yield* Recorder
  recorder.start(lease_ms)
  yield* Fixture.atOnce(count, () => Fixture.asset(account_id))
  return { account_id, id, jobs: [...recorder.offered] }
})

/** The deliveries that are remembered under the leases of these. */
const remembered = (jobs: ReadonlyArray<Job>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leases = [...new Set(jobs.map(({ lease }) => lease))]
    const rows = yield* sql<{ readonly deliveries: ReadonlyArray<string> }>`
      SELECT deliveries FROM tc.handovers WHERE ${sql.in("lease", leases)}`
    return rows.flatMap(({ deliveries }) => deliveries)
  })

/** How many rows of deliveries are written when these succeed, and how many of them without writing an index. */
const written = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
  const sql = yield* SqlClient.SqlClient
  const counts = Effect.map(
    sql<{ readonly rows: number; readonly hot: number }>`
      SELECT n_tup_upd::int AS rows, n_tup_hot_upd::int AS hot FROM pg_stat_xact_user_tables
      WHERE schemaname = 'tc' AND relname = 'deliveries'`,
    ([found]) => found ?? { rows: 0, hot: 0 },
  )
  const settled = Queue.settle(jobs, "succeeded")
  const { before, after } = yield* sql.withTransaction(Effect.all({ before: counts, settled, after: counts }))
  return { rows: after.rows - before.rows, hot: after.hot - before.hot }
})

it.layer(storage, { excludeTestServices: true })("deliveries born under a lease", (it) => {
  it.effect("write no index when their first attempt succeeds", () =>
    Effect.gen(function* () {
      const { jobs } = yield* born(20, 60_000)
      assert.deepStrictEqual(yield* written(jobs), { rows: 20, hot: 20 })
    }),
  )

  it.effect("write none when they succeed that were claimed", () =>
    Effect.gen(function* () {
      const round = Effect.gen(function* () {
        yield* Queue.clear
        yield* (yield* Deliveries).release((yield* born(20, 60_000)).jobs)
        const jobs = yield* Queue.claim()
        const { rows, hot } = yield* written(jobs)
        assert.deepStrictEqual([jobs.length, rows], [20, 20])
        return hot
      })
      // But for those whose page is full by now: more of them where a vacuum that looks at the table keeps what is dead.
      const hot = yield* Effect.replicateEffect(round, 3)
      assert.isAtLeast(Math.max(...hot), 15)
    }),
  )

  it.effect("are remembered until their lease is over, and no longer", () =>
    Effect.gen(function* () {
      yield* Queue.clear
      const { jobs } = yield* born(30, 500)
      assert.includeMembers(
        yield* remembered(jobs),
        jobs.map(({ id }) => id),
      )
      assert.notInclude(yield* Queue.settle(jobs.slice(0, 10), "succeeded"), false)
      yield* Effect.sleep("600 millis")
      const claimed = yield* Queue.claim()
      assert.sameMembers(
        claimed.map(({ id }) => id),
        jobs.slice(10).map(({ id }) => id),
      )
      assert.deepStrictEqual(yield* remembered(jobs), [])
    }),
  )

  it.effect("stay out of the queue for as long as their lease lasts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Queue.clear
      const { account_id, jobs } = yield* born(3, 60_000)
      const queued = sql`SELECT id FROM tc.deliveries WHERE account_id = ${account_id} AND due_at IS NOT NULL`
      assert.deepStrictEqual(yield* queued, [])
      yield* (yield* Deliveries).release(jobs.slice(0, 1))
      assert.deepStrictEqual(
        yield* queued,
        jobs.slice(0, 1).map(({ id }) => ({ id })),
      )
    }),
  )

  it.effect("are put into the queue by one worker where several look", () =>
    Effect.gen(function* () {
      yield* Queue.clear
      const { jobs } = yield* born(200, 1)
      yield* Effect.sleep("10 millis")
      const claims = yield* Fixture.atOnce(6, () => Queue.claim({ limit: 50, per_endpoint: 1_000 }))
      const rest = yield* Queue.claim({ limit: 1_000, per_endpoint: 1_000 })
      assert.sameMembers(
        [...claims.flat(), ...rest].map(({ id }) => id),
        jobs.map(({ id }) => id),
      )
    }),
  )
})
