import { assert, it } from "@effect/vitest"
import { Resource, Store } from "@tc/domain"
import { Cause, Context, Effect, Exit, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Deliveries, layerPostgres, migrate, Stores, Unavailable } from "../src/index.ts"
import * as Fixture from "../src/testing/Fixture.ts"
import * as Queue from "../src/testing/Queue.ts"
import * as Cut from "./Cut.ts"
import * as Database from "./Database.ts"

const live = { excludeTestServices: true }

const defect = <A, E>(exit: Exit.Exit<A, E>) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

const isUnavailable = <A, E>(exit: Exit.Exit<A, E>) => defect(exit) instanceof Unavailable

/** Has every write of a row to a table fail with a SQLSTATE, until it is called with null. */
const failing = (table: string, code: string | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`DROP TRIGGER IF EXISTS failing ON tc.${table}`)
    if (code === null) return
    yield* sql.unsafe(
      `CREATE OR REPLACE FUNCTION tc.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = TG_ARGV[0]; END $$`,
    )
    yield* sql.unsafe(
      `CREATE TRIGGER failing BEFORE INSERT OR UPDATE ON tc.${table} FOR EACH ROW EXECUTE FUNCTION tc.fail('${code}')`,
    )
  })

it.layer(layerPostgres.pipe(Layer.provideMerge(Database.layer())), live)("failures of PostgreSQL", (it) => {
  for (const [trouble, code] of [
    ["has become read-only", "25006"],
    ["lets one transaction after the other wait in a circle", "40P01"],
    ["has no disk space left", "53100"],
    ["is being shut down", "57P01"],
  ] as const) {
    it.effect(`a database that ${trouble} is unavailable`, () =>
      Effect.gen(function* () {
        const account_id = yield* Fixture.account
        yield* failing("stores", code)
        const exit = yield* Effect.exit(Fixture.store(account_id))
        yield* failing("stores", null)
        assert.isTrue(isUnavailable(exit), String(defect(exit)))
      }),
    )
  }

  it.effect("a mistake of ours is not: waiting would not help", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* failing("stores", "42703")
      const exit = yield* Effect.exit(Fixture.store(account_id))
      yield* failing("stores", null)
      assert.isTrue(Exit.isFailure(exit))
      assert.isFalse(isUnavailable(exit))
    }),
  )

  it.effect("results are settled all or none, so that the answer to a second try is true", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(3)
      const jobs = yield* Queue.claim()
      const outcomes = ["succeeded", "exhausted", "failed"] as const
      const results = jobs.map((job, nth) => ({ job, attempt: Queue.attempt(job), outcome: outcomes[nth] ?? "failed" }))
      const settle = Effect.flatMap(Deliveries, (deliveries) => deliveries.settle(results, Queue.streak))
      yield* failing("webhook_endpoints", "57P01")
      assert.isTrue(isUnavailable(yield* Effect.exit(settle)))
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id)).map(({ status }) => status),
        ["delivering", "delivering", "delivering"],
      )
      yield* failing("webhook_endpoints", null)
      assert.deepStrictEqual(Queue.held(yield* settle), [true, true, true])
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id, { endpoint_id: endpoint.id })).map(({ status }) => status),
        ["succeeded", "failed", "failed"],
      )
    }),
  )
})

class Wire extends Context.Service<Wire, { readonly cut: (text: string) => void }>()("test/Wire") {}

/** The storage behind a wire that can be cut. */
const wired = Layer.unwrap(
  Effect.gen(function* () {
    const { url, cut } = yield* Cut.before(yield* Database.create())
    const storage = layerPostgres.pipe(Layer.provide(Layer.effectDiscard(migrate)))
    return Layer.merge(storage.pipe(Layer.provide(Database.client(url))), Layer.succeed(Wire, { cut }))
  }),
).pipe(Layer.orDie)

const input = Schema.decodeUnknownSync(Store.resource.create)
const rename = (name: string) => Resource.patch(Store.resource, { name })

// A storage of its own for each: only a connection's first use of a statement sends its text.
for (const statement of ["UPDATE tc.stores", "SELECT", "COMMIT"]) {
  it.layer(wired, live)(`a connection that is cut at ${statement}`, (it) => {
    it.effect("makes storage unavailable: nothing is wrong with the request", () =>
      Effect.gen(function* () {
        const stores = yield* Stores
        const { account_id, id } = yield* Fixture.store(yield* Fixture.account)
        ;(yield* Wire).cut(statement)
        const exits = yield* Fixture.atOnce(20, (nth) => Effect.exit(stores.modify(account_id, id, rename(`${nth}`))))
        const failures = exits.filter(Exit.isFailure)
        assert.isAbove(failures.length, 0)
        assert.deepStrictEqual(
          failures.filter((exit) => !isUnavailable(exit)).map((exit) => String(defect(exit))),
          [],
        )
      }),
    )
  })
}

it.layer(wired, live)("a connection that is cut", (it) => {
  it.effect(
    "before a batch of creates is answered makes storage unavailable for all of them, and creates none again",
    () =>
      Effect.gen(function* () {
        const account_id = yield* Fixture.account
        const stores = yield* Stores
        ;(yield* Wire).cut("SELECT * FROM unnest(")
        const exits = yield* Fixture.atOnce(30, (nth) =>
          Effect.exit(stores.create(account_id, input({ name: `Shop ${nth}`, platform: "swell" }))),
        )
        const failures = exits.filter(Exit.isFailure)
        assert.isAbove(failures.length, 1)
        assert.deepStrictEqual(
          failures.filter((exit) => !isUnavailable(exit)).map((exit) => String(defect(exit))),
          [],
        )
      }),
  )
})
