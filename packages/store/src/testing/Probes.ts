/** Which one delivery an endpoint gets to show whether it answers. */
import { assert } from "@effect/vitest"
import type { WebhookEndpoint } from "@tc/domain"
import { Effect } from "effect"
import { Deliveries, type ProbeRequest } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

/** Probes one endpoint, which is ready for whatever is due unless `request` says otherwise. */
const probe = (
  { account_id, id }: Pick<WebhookEndpoint.WebhookEndpoint, "account_id" | "id">,
  { ready = true, ...request }: Partial<ProbeRequest> & { readonly ready?: boolean } = {},
) =>
  Effect.flatMap(Deliveries, (deliveries) =>
    deliveries.probe({
      endpoints: [{ account_id, endpoint_id: id, ready }],
      max_bytes: Queue.anything.max_bytes,
      lease_ms: Queue.anything.lease_ms,
      ...request,
    }),
  )

/** Fails an attempt of each of these; they fell due again so many milliseconds ago. */
const failed = (jobs: Parameters<typeof Queue.settle>[0], ago: number) =>
  Effect.flatMap(Queue.at(-ago), (retry_at) => Queue.settle(jobs, { retry_at }))

const choice = (it: Tests): void => {
  it.effect("a probe gets the one that is due first, under a lease like any other", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, deliveries } = yield* Queue.waiting(3)
      const [job, ...more] = yield* probe(endpoint)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(job, { id: deliveries[0]!.id, attempt: 1, manual: false, url: endpoint.url })
      assert.strictEqual((yield* (yield* Deliveries).get(account_id, job!.id)).status, "delivering")
      assert.deepStrictEqual(yield* Queue.settle([job!], "succeeded"), [true])
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim()), Queue.ids(deliveries.slice(1)))
    }),
  )

  it.effect("a probe gets the oldest delivery that was attempted before, whichever fell due first", () =>
    Effect.gen(function* () {
      const { endpoint, deliveries } = yield* Queue.waiting(4)
      const jobs = yield* Queue.claim({ limit: 3 })
      yield* failed(jobs.slice(1), 60_000)
      yield* failed(jobs.slice(0, 1), 1)
      const probed = yield* Effect.forEach([1, 2, 3, 4], () => probe(endpoint))
      assert.deepStrictEqual(
        probed.flat().map(({ attempt, id }) => [attempt, id]),
        deliveries.map(({ id }, nth) => [nth < 3 ? 2 : 1, id]),
      )
    }),
  )

  it.effect("a probe gets what a person asked for before anything else, also of an endpoint that is not ready", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(3)
      const jobs = yield* Queue.claim()
      yield* failed(jobs, 60_000)
      assert.deepStrictEqual(yield* probe(endpoint, { ready: false }), [])
      yield* (yield* Deliveries).retry(account_id, jobs[2]!.id)
      assert.deepStrictEqual(Queue.ids(yield* probe(endpoint, { ready: false })), [jobs[2]!.id])
    }),
  )

  it.effect(
    "at a rate, a probe gets what a person asked for too, and nothing else of an endpoint that is not ready",
    () =>
      Effect.gen(function* () {
        const { account_id, endpoint, deliveries } = yield* Queue.waiting(3)
        yield* Fixture.patchEndpoint(account_id, endpoint.id, { max_per_second: 1_000 })
        assert.deepStrictEqual(yield* probe(endpoint, { ready: false }), [])
        yield* (yield* Deliveries).retry(account_id, deliveries[2]!.id)
        assert.deepStrictEqual(Queue.ids(yield* probe(endpoint, { ready: false })), [deliveries[2]!.id])
        assert.deepStrictEqual(Queue.ids(yield* probe(endpoint)), [deliveries[0]!.id])
        yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      }),
  )

  it.effect("what a person asked for once is asked for no more when it has been attempted", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      const deliveries = yield* Deliveries
      const attempts = [Queue.claim(), probe(endpoint, { ready: false })]
      for (const attempt of attempts) {
        const [delivery] = yield* Fixture.deliveries(account_id)
        yield* deliveries.retry(account_id, delivery!.id)
        const jobs = yield* attempt
        assert.strictEqual(jobs.length, 1)
        yield* failed(jobs, 1)
        assert.deepStrictEqual(yield* probe(endpoint, { ready: false }), [])
      }
    }),
  )
}

const limits = (it: Tests): void => {
  it.effect("a probe gets nothing that is not due, and nothing that another holds", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* Queue.waiting(2)
      const jobs = yield* Queue.claim()
      yield* failed(jobs.slice(1), -7_200_000)
      assert.deepStrictEqual(yield* probe(endpoint), [])
    }),
  )

  it.effect("a probe gets one whose lease has run out", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* Queue.waiting(1)
      const lost = yield* Queue.claimBriefly
      assert.deepStrictEqual(Queue.ids(yield* probe(endpoint)), Queue.ids(lost))
    }),
  )

  it.effect("probes at once never share a delivery", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* Queue.waiting(3)
      const jobs = (yield* Fixture.atOnce(10, () => probe(endpoint))).flat()
      assert.strictEqual(new Set(jobs.map(({ id }) => id)).size, jobs.length)
    }),
  )

  it.effect("each endpoint that is named gets its own, and no more bytes than were asked for beyond the first", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(0)
      const others = [yield* Fixture.endpoint(account_id), yield* Fixture.endpoint(account_id)]
      yield* Queue.raise(account_id, 1)
      const endpoints = [endpoint, others[0]!].map(({ id }) => ({ account_id, endpoint_id: id, ready: true }))
      assert.strictEqual((yield* probe(endpoint, { endpoints, max_bytes: 1 })).length, 1)
      assert.strictEqual((yield* probe(endpoint, { endpoints })).length, 1)
      const rest = yield* Queue.claim()
      assert.deepStrictEqual(
        rest.map(({ endpoint_id }) => endpoint_id),
        [others[1]!.id],
      )
    }),
  )

  it.effect("an endpoint that is not active any more gets none", () =>
    Effect.gen(function* () {
      const { account_id, endpoint } = yield* Queue.waiting(1)
      yield* Queue.claimBriefly
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      assert.deepStrictEqual(yield* probe(endpoint), [])
      yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
      assert.deepStrictEqual(yield* probe(endpoint), [])
    }),
  )
}

export const tests = (it: Tests): void => {
  choice(it)
  limits(it)
}

export const suite: Suite = suiteOf("Probes", tests)
