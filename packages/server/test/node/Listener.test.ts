/** Processes on one database hear of each other's work without looking for it. */
import { Id, WebhookEndpoint } from "@tc/domain"
import { assert } from "@effect/vitest"
import { type Endpoint, Handoff, layerPostgres, migrate, WebhookEndpoints } from "@tc/store"
import { Fixture } from "@tc/store/testing"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, it } from "vitest"
import * as DatabaseClient from "../../src/node/Database.ts"
import * as Listener from "../../src/node/Listener.ts"
import * as Database from "../blackbox/Database.ts"
import { until } from "../blackbox/Until.ts"

const url = Redacted.make((await Database.create()).href)
const storage = layerPostgres.pipe(Layer.provideMerge(DatabaseClient.layer({ url })))

/** What a process that delivers is told. */
const told = { wakes: 0, recalled: new Array<Endpoint>() }
const handoff: Handoff = {
  delay_ms: 0,
  lease: () => null,
  offer: () => {},
  wake: () => void (told.wakes += 1),
  recall: (endpoint) => void told.recalled.push(endpoint),
}

/** A process without a dispatcher, and one that listens. */
const writing = ManagedRuntime.make(storage)
const listening = ManagedRuntime.make(
  Layer.provideMerge(Listener.layer, storage).pipe(Layer.provide(Layer.succeed(Handoff, handoff))),
)

beforeAll(async () => {
  await writing.runPromise(migrate)
  await listening.runPromise(Effect.void)
  await until("it listens, and looks for what it missed", () => told.wakes > 0)
})
afterAll(() => Promise.all([writing.dispose(), listening.dispose()]))

const subscribed = Effect.gen(function* () {
  const account_id = yield* Fixture.account
  const { id } = yield* Fixture.endpoint(account_id)
  return { account_id, id }
})

it("a delivery that is born where there is no dispatcher wakes one elsewhere", async () => {
  const { account_id } = await writing.runPromise(subscribed)
  const before = told.wakes
  await writing.runPromise(Fixture.asset(account_id))
  assert.isTrue(await until("it is woken", () => told.wakes > before))
})

it("an endpoint that is changed elsewhere is recalled", async () => {
  const { account_id, id } = await writing.runPromise(subscribed)
  await writing.runPromise(
    Effect.flatMap(WebhookEndpoints, (endpoints) =>
      endpoints.modify(account_id, Id.WebhookEndpointId.id.make(id), (row, now) =>
        Result.succeed(WebhookEndpoint.patch({ status: "disabled" })(row, now)),
      ),
    ),
  )
  await until("it is recalled", () => told.recalled.some(({ endpoint_id }) => endpoint_id === id))
  assert.deepStrictEqual(told.recalled.at(-1), { account_id, endpoint_id: id })
})

it("what comes after a connection was lost is heard again", async () => {
  const before = told.wakes
  await writing.runPromise(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%' AND datname = current_database()`,
    ),
  )
  // It looks for what it missed as soon as it listens again.
  await until("it listens again", () => told.wakes > before)
  const { account_id } = await writing.runPromise(subscribed)
  const again = told.wakes
  await writing.runPromise(Fixture.asset(account_id))
  assert.isTrue(await until("it is woken", () => told.wakes > again))
})
