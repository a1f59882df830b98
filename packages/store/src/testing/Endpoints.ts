/** That an endpoint which stops being active takes its pending deliveries with it. */
import { assert } from "@effect/vitest"
import { type Id, SigningSecrets, WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

const statuses = (account_id: Id.AccountId, endpoint_id: Id.WebhookEndpointId) =>
  Effect.map(Fixture.deliveries(account_id, { endpoint_id }), (all) => all.map(({ status }) => status).toSorted())

const endings = (it: Tests): void => {
  it.effect("disabling an endpoint cancels what is pending for it, and for no other", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const [first, second] = [yield* Fixture.endpoint(account_id), yield* Fixture.endpoint(account_id)]
      yield* Fixture.asset(account_id)
      yield* Fixture.patchEndpoint(account_id, first.id, { status: "disabled" })
      assert.deepStrictEqual(yield* statuses(account_id, first.id), ["canceled"])
      assert.deepStrictEqual(yield* statuses(account_id, second.id), ["pending"])
      const [delivery] = yield* Fixture.deliveries(account_id, { endpoint_id: first.id })
      assert.isNull(delivery?.due_at)
    }),
  )

  it.effect("deleting an endpoint cancels what is pending for it, and keeps what was", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(3)
      const [job] = yield* Queue.claim({ limit: 1 })
      yield* Queue.settle([job!], "succeeded")
      yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
      assert.deepStrictEqual(yield* statuses(account_id, endpoint.id), ["canceled", "canceled", "succeeded"])
    }),
  )

  it.effect("what a worker holds is left to it", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const jobs = yield* Queue.claim()
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      assert.deepStrictEqual(yield* statuses(account_id, endpoint.id), ["delivering"])
      assert.deepStrictEqual(yield* Queue.settle(jobs, "succeeded"), [true])
      assert.deepStrictEqual(yield* statuses(account_id, endpoint.id), ["succeeded"])
    }),
  )

  it.effect("one that is made disabled is so from its first moment", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const made = yield* Fixture.endpoint(account_id, { status: "disabled" })
      const kept = yield* (yield* WebhookEndpoints).get(account_id, made.id)
      assert.deepStrictEqual([made.disabled_at, kept.disabled_at], [made.created_at, made.created_at])
    }),
  )

  it.effect("one whose secret is replaced gives its deliveries all that sign, and keeps until when", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const endpoints = yield* WebhookEndpoints
      const rotated = yield* endpoints.modify(account_id, endpoint.id, WebhookEndpoint.rotate("next", 60))
      assert.deepStrictEqual(yield* endpoints.get(account_id, endpoint.id), rotated)
      assert.strictEqual(Date.parse(rotated.secret_overlap_until ?? "") - Date.parse(rotated.updated_at), 60_000)
      const [job] = yield* Queue.claim()
      assert.deepStrictEqual(
        SigningSecrets.all(job?.secret ?? "").map(({ secret }) => secret),
        ["next", endpoint.secret],
      )
    }),
  )

  it.effect("any other change leaves its deliveries alone", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const url = "https://moved.example/hook"
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { url, events: ["asset.deleted"] })
      assert.deepStrictEqual(
        (yield* Queue.claim()).map((job) => job.url),
        [url],
      )
    }),
  )

  it.effect("enabling an endpoint revives nothing, and its failures begin anew", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(6)
      yield* Queue.settle(yield* Queue.claim({ limit: 5 }), "exhausted")
      const { status, consecutive_failures, disabled_at } = yield* Fixture.patchEndpoint(account_id, endpoint.id, {
        status: "active",
      })
      assert.deepStrictEqual([status, consecutive_failures, disabled_at], ["active", 0, null])
      assert.deepStrictEqual(yield* Queue.claim(), [])
      yield* Fixture.asset(account_id)
      assert.strictEqual((yield* Queue.claim()).length, 1)
    }),
  )
}

const races = (it: Tests): void => {
  it.effect("an endpoint that is disabled while deliveries are born leaves none pending for ever", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(0)
      const raise = Fixture.atOnce(10, () => Fixture.asset(account_id))
      yield* Effect.all([raise, Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" }), raise], {
        concurrency: "unbounded",
      })
      assert.deepStrictEqual(yield* Queue.claim(), [])
      const left = new Set(yield* statuses(account_id, endpoint.id))
      left.delete("canceled")
      assert.deepStrictEqual([...left], [])
    }),
  )
}

const rounds = Array.from({ length: 10 }, (_, nth) => nth)

const requeued = (it: Tests): void => {
  it.effect("an endpoint that is disabled while retries are scheduled leaves none pending", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(0)
      const retry_at = yield* Queue.at(3_600_000)
      for (const nth of rounds) {
        yield* Fixture.atOnce(20, () => Fixture.asset(account_id))
        const jobs = yield* Queue.claim()
        const disable = Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
        yield* Effect.all(
          [
            Effect.forEach(jobs, (job) => Queue.settle([job], { retry_at }), { concurrency: 10 }),
            Effect.delay(disable, `${nth} millis`),
          ],
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(yield* Fixture.deliveries(account_id, { status: "pending" }), [])
        yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "active" })
      }
    }),
  )

  it.effect("an endpoint that is disabled while deliveries are retried or given back leaves none pending", () =>
    Effect.gen(function* () {
      const all = yield* Deliveries
      const { account_id, endpoint } = yield* Queue.waiting(0)
      yield* Fixture.atOnce(30, () => Fixture.asset(account_id))
      for (const nth of rounds) {
        const jobs = (yield* Queue.claim()).slice(0, 10)
        const retry = Effect.forEach(
          yield* Fixture.deliveries(account_id),
          ({ id }) => Effect.result(all.retry(account_id, id)),
          { concurrency: "unbounded" },
        )
        const disable = Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
        yield* Effect.all([retry, all.release(jobs), Effect.delay(disable, `${nth} millis`)], {
          concurrency: "unbounded",
        })
        assert.deepStrictEqual(yield* Fixture.deliveries(account_id, { status: "pending" }), [])
        yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "active" })
        for (const { id } of yield* Fixture.deliveries(account_id)) yield* Effect.result(all.retry(account_id, id))
      }
    }),
  )
}

export const tests = (it: Tests): void => {
  requeued(it)
  endings(it)
  races(it)
}

export const suite: Suite = suiteOf("Endpoints", tests)
