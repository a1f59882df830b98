/** How failures in a row disable an endpoint: once, with one event, and with nothing left pending. */
import { assert } from "@effect/vitest"
import { type Id, Resource, WebhookEndpoint } from "@tc/domain"
import { Effect, Result } from "effect"
import { Deliveries, type Job, type Streak } from "../Deliveries.ts"
import { Events } from "../Events.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

/** An endpoint with as many jobs under lease, beside one that wants to hear of disabled endpoints only. */
const failing = Effect.fnUntraced(function* (times: number) {
  const { account_id, endpoint } = yield* Queue.waiting(times)
  const witness = yield* Fixture.endpoint(account_id, { events: ["webhook_endpoint.disabled"] })
  const now = Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.get(account_id, endpoint.id))
  return { account_id, endpoint, witness, jobs: yield* Queue.claim(), now }
})

const disabledEvents = (account_id: Id.AccountId) =>
  Effect.flatMap(Events, (events) =>
    Effect.map(events.list(account_id, { ...Fixture.all, event: "webhook_endpoint.disabled" }), ({ data }) => data),
  )

const counts = (it: Tests): void => {
  it.effect("an exhausted delivery adds one, any other failure none", () =>
    Effect.gen(function* () {
      const { jobs, now } = yield* failing(3)
      yield* Queue.settle([jobs[0]!], "exhausted")
      assert.strictEqual((yield* now).consecutive_failures, 1)
      yield* Queue.settle([jobs[1]!], "failed")
      yield* Queue.settle([jobs[2]!], { retry_at: yield* Queue.at(3_600_000) })
      assert.strictEqual((yield* now).consecutive_failures, 1)
    }),
  )

  it.effect("a success clears the failures of its endpoint, and of no other", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, jobs, now } = yield* failing(2)
      const other = yield* Fixture.endpoint(account_id)
      yield* Queue.settle([jobs[0]!], "exhausted")
      yield* Queue.raise(account_id, 1)
      const settling = (yield* Queue.claim()).filter(({ endpoint_id }) => endpoint_id === other.id)
      yield* Queue.settle(settling, "succeeded")
      assert.strictEqual((yield* now).consecutive_failures, 1)
      yield* Queue.settle([jobs[1]!], "succeeded")
      assert.strictEqual((yield* now).consecutive_failures, 0)
      assert.strictEqual((yield* now).status, endpoint.status)
    }),
  )

  it.effect("failures count in a row: after a success they begin anew", () =>
    Effect.gen(function* () {
      const { jobs, now } = yield* failing(6)
      for (const job of jobs.slice(0, 4)) yield* Queue.settle([job], "exhausted")
      yield* Queue.settle([jobs[4]!], "succeeded")
      yield* Queue.settle([jobs[5]!], "exhausted")
      const { consecutive_failures, status } = yield* now
      assert.deepStrictEqual([consecutive_failures, status], [1, "active"])
    }),
  )

  it.effect("the exhausted deliveries of one batch count one by one", () =>
    Effect.gen(function* () {
      const { jobs, now } = yield* failing(4)
      yield* Queue.settle(jobs, "exhausted")
      const { consecutive_failures, status } = yield* now
      assert.deepStrictEqual([consecutive_failures, status], [4, "active"])
    }),
  )

  it.effect("what was under way when its endpoint was disabled counts no more", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, jobs, now } = yield* failing(3)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      yield* Queue.settle(jobs.slice(0, 2), "exhausted")
      yield* Queue.settle(jobs.slice(2), "exhausted")
      const { consecutive_failures, status } = yield* now
      assert.deepStrictEqual([consecutive_failures, status], [0, "disabled"])
    }),
  )

  it.effect("who lost the lease counts nothing", () =>
    Effect.gen(function* () {
      const { endpoint, account_id } = yield* Queue.waiting(1)
      const lost = yield* Queue.claimBriefly
      yield* Queue.claim()
      yield* Queue.settle(lost, "exhausted")
      const { consecutive_failures } = yield* (yield* WebhookEndpoints).get(account_id, endpoint.id)
      assert.strictEqual(consecutive_failures, 0)
    }),
  )
}

const many = (status: string, times: number) => Array.from({ length: times }, () => status)

/** Ways in which five deliveries can be settled. */
const ways = {
  "one after the other": (jobs: ReadonlyArray<Job>) => Effect.forEach(jobs, (job) => Queue.settle([job], "exhausted")),
  "in one batch": (jobs: ReadonlyArray<Job>) => Queue.settle(jobs, "exhausted"),
  "at once": (jobs: ReadonlyArray<Job>) =>
    Fixture.atOnce(jobs.length, (nth) => Queue.settle([jobs[nth]!], "exhausted")),
}

const disables = (it: Tests): void => {
  it.effect("of two endpoints that one batch disables, the one that is later is told of the other", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(0)
      const other = yield* Fixture.endpoint(account_id)
      yield* Queue.raise(account_id, 6)
      const jobs = yield* Queue.claim()
      const [mine, theirs] = [endpoint, other].map(({ id }) => jobs.filter(({ endpoint_id }) => endpoint_id === id))
      yield* Queue.settle([mine![0]!, ...theirs!.slice(0, 5), ...mine!.slice(1, 5)], "exhausted")
      const told = yield* Fixture.deliveries(account_id, { event: "webhook_endpoint.disabled" })
      assert.deepStrictEqual(
        told.map(({ endpoint_id, status }) => [endpoint_id, status]),
        [[endpoint.id, "canceled"]],
      )
    }),
  )

  for (const [way, settle] of Object.entries(ways)) {
    it.effect(`the fifth failure in a row disables the endpoint, once and with one event: ${way}`, () =>
      Effect.gen(function* () {
        const { account_id, witness, jobs, now } = yield* failing(5)
        yield* settle(jobs)
        const endpoint = yield* now
        assert.deepStrictEqual([endpoint.status, endpoint.consecutive_failures], ["auto-disabled", 5])
        assert.isNotNull(endpoint.disabled_at)
        const events = yield* disabledEvents(account_id)
        assert.deepStrictEqual(
          events.map(({ data }) => data),
          [{ ...Resource.show(WebhookEndpoint.resource, endpoint) }],
        )
        const deliveries = yield* Fixture.deliveries(account_id, { event: "webhook_endpoint.disabled" })
        assert.deepStrictEqual(
          deliveries.map(({ endpoint_id, status }) => [endpoint_id, status]),
          [[witness.id, "pending"]],
        )
      }),
    )
  }

  it.effect("410 Gone adds one, and disables an endpoint that wants it so, with what it still had to get", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, jobs, now } = yield* failing(3)
      yield* Queue.raise(account_id, 1)
      assert.deepStrictEqual(yield* Queue.settle([jobs[0]!], "gone"), [true])
      assert.deepStrictEqual([(yield* now).status, (yield* now).consecutive_failures], ["active", 1])
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { disable_on_gone: true })
      yield* Queue.settle([jobs[1]!], "gone")
      assert.deepStrictEqual([(yield* now).status, (yield* now).consecutive_failures], ["auto-disabled", 2])
      assert.strictEqual((yield* disabledEvents(account_id)).length, 1)
      const left = yield* Fixture.deliveries(account_id, { endpoint_id: endpoint.id })
      assert.deepStrictEqual(
        left.map(({ status }) => status),
        ["failed", "failed", "delivering", "canceled"],
      )
    }),
  )

  it.effect("an endpoint that is disabled already is not disabled again", () =>
    Effect.gen(function* () {
      const { account_id, jobs } = yield* failing(7)
      yield* Queue.settle(jobs.slice(0, 6), "exhausted")
      yield* Queue.settle(jobs.slice(6), "exhausted")
      assert.strictEqual((yield* disabledEvents(account_id)).length, 1)
    }),
  )

  it.effect("what the endpoint still had to get is canceled with it", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, jobs } = yield* failing(5)
      yield* Queue.raise(account_id, 2)
      yield* Queue.settle([jobs[0]!], { retry_at: yield* Queue.at(3_600_000) })
      yield* (yield* WebhookEndpoints).modify(account_id, endpoint.id, (row) =>
        Result.succeed({ row: { ...row, consecutive_failures: 4 }, events: [] }),
      )
      yield* Queue.settle([jobs[1]!], "exhausted")
      const left = yield* Fixture.deliveries(account_id, { endpoint_id: endpoint.id })
      const statuses = left.map(({ status }) => status).toSorted()
      assert.deepStrictEqual(statuses, [...many("canceled", 3), ...many("delivering", 3), "failed"])
    }),
  )
}

/** Failures that never disable. */
const endless: Streak = (failures) => ({ consecutive_failures: failures + 1, disable: false })

const races = (it: Tests): void => {
  it.effect("batches that meet at the same endpoints all get through, and every failure counts", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const { account_id } = yield* Queue.waiting(0)
      yield* Effect.forEach([1, 2], () => Fixture.endpoint(account_id))
      yield* Queue.raise(account_id, 8)
      const byEvent = [...Map.groupBy(yield* Queue.claim(), ({ tail }) => tail).values()]
      const held = yield* Fixture.atOnce(byEvent.length, (nth) => {
        const batch = byEvent[nth]!.toSorted((left, right) =>
          left.endpoint_id < right.endpoint_id === (nth % 2 === 0) ? -1 : 1,
        )
        const settlements = batch.map((job) => ({ job, attempt: Queue.attempt(job), outcome: "exhausted" as const }))
        return Effect.map(deliveries.settle(settlements, endless), Queue.held)
      })
      assert.deepStrictEqual(
        held,
        Array.from({ length: 8 }, () => [true, true, true]),
      )
      const { data } = yield* (yield* WebhookEndpoints).list(account_id, Fixture.all)
      assert.deepStrictEqual(
        data.map(({ consecutive_failures }) => consecutive_failures),
        [8, 8, 8],
      )
    }),
  )
}

const witnesses = (it: Tests): void => {
  it.effect("only the other endpoints that are active and want it are told, never the endpoint itself", () =>
    Effect.gen(function* () {
      const { account_id, witness, jobs } = yield* failing(5)
      yield* Fixture.endpoint(account_id, { events: ["asset.created"] })
      yield* Fixture.endpoint(account_id, { status: "disabled" })
      const everything = yield* Fixture.endpoint(account_id)
      yield* Queue.settle(jobs, "exhausted")
      const told = yield* Fixture.deliveries(account_id, { event: "webhook_endpoint.disabled" })
      assert.deepStrictEqual(Queue.ids(told.map(({ endpoint_id: id }) => ({ id }))), Queue.ids([witness, everything]))
    }),
  )

  it.effect("the event never shows the secret", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, jobs } = yield* failing(5)
      yield* Queue.settle(jobs, "exhausted")
      const [told] = yield* Queue.claim()
      assert.strictEqual(told?.event, "webhook_endpoint.disabled")
      assert.notInclude(told?.tail ?? "", endpoint.secret)
      assert.strictEqual((yield* disabledEvents(account_id)).length, 1)
    }),
  )
}

export const tests = (it: Tests): void => {
  counts(it)
  disables(it)
  races(it)
  witnesses(it)
}

export const suite: Suite = suiteOf("Streaks", tests)
