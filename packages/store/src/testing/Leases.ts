/** For how long a claimed delivery belongs to its claim alone, and how it is given back. */
import { assert } from "@effect/vitest"
import { Event } from "@tc/domain"
import { Clock, Effect } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { Events } from "../Events.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"

const held = (it: Tests): void => {
  it.effect("a job has all it takes to send it", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, deliveries } = yield* Queue.waiting(1)
      const before = yield* Clock.currentTimeMillis
      const [job] = yield* Queue.claim()
      const { id } = deliveries[0]!
      const { url, secret } = endpoint
      const { tail, lease, lease_until, ...rest } = job!
      assert.deepStrictEqual(rest, {
        account_id,
        id,
        endpoint_id: endpoint.id,
        event: "asset.created",
        url,
        secret,
        attempt: 1,
        manual: false,
        paced: false,
      })
      assert.isNotEmpty(lease)
      assert.isAtLeast(lease_until, before + 3_600_000)
      assert.isAtMost(lease_until, (yield* Clock.currentTimeMillis) + 3_600_000)
      const [event] = (yield* (yield* Events).list(account_id, Fixture.all)).data
      assert.strictEqual(Event.body(id, tail), JSON.stringify({ ...event!, id }))
    }),
  )

  it.effect("a delivery under lease is delivering until the lease runs out", () =>
    Effect.gen(function* () {
      yield* Queue.waiting(1)
      const [job] = yield* Queue.claim()
      const { status, due_at, lease_until } = yield* (yield* Deliveries).get(job!.account_id, job!.id)
      assert.deepStrictEqual([status, due_at], ["delivering", null])
      assert.strictEqual(Date.parse(lease_until ?? ""), job!.lease_until)
    }),
  )

  it.effect("a delivery under lease is not claimed again", () =>
    Effect.gen(function* () {
      yield* Queue.waiting(2)
      assert.strictEqual((yield* Queue.claim()).length, 2)
      assert.deepStrictEqual(yield* Queue.claim(), [])
    }),
  )

  it.effect("a delivery whose lease ran out goes to the next claim, under another lease, for the same attempt", () =>
    Effect.gen(function* () {
      const { deliveries } = yield* Queue.waiting(1)
      const [lost] = yield* Queue.claimBriefly
      const [job] = yield* Queue.claim()
      assert.deepStrictEqual([job?.id, job?.attempt], [deliveries[0]!.id, 1])
      assert.notStrictEqual(job?.lease, lost?.lease)
    }),
  )

  it.effect("a claim says how many of its deliveries were under a lease that had run out", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(2)
      const { claim } = yield* Deliveries
      yield* Queue.claimBriefly
      yield* Queue.raise(account_id, 1)
      const { expired, jobs } = yield* claim(Queue.anything)
      assert.deepStrictEqual([jobs.length, expired], [3, 2])
      yield* (yield* Deliveries).release(jobs)
      assert.strictEqual((yield* claim(Queue.anything)).expired, 0)
    }),
  )
}

const released = (it: Tests): void => {
  it.effect("a delivery that is released is due at once, and its attempt is not counted", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(1)
      const jobs = yield* Queue.claim()
      yield* (yield* Deliveries).release(jobs)
      const [delivery] = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual([delivery?.status, delivery?.attempt_count, delivery?.lease_until], ["pending", 0, null])
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim()), Queue.ids(jobs))
    }),
  )

  it.effect("a delivery that is released for later is due then, and its attempt is not counted", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(2)
      const [later, sooner] = yield* Queue.claim()
      const due_at = yield* Queue.at(7_200_000)
      yield* (yield* Deliveries).release([{ ...later!, due_at: Date.parse(due_at) }, sooner!])
      const delivery = yield* (yield* Deliveries).get(account_id, later!.id)
      assert.deepInclude(delivery, { status: "pending", due_at, attempt_count: 0, lease_until: null })
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim()), Queue.ids([sooner!]))
    }),
  )

  it.effect("a delivery that is released is canceled when its endpoint is not active any more, or gone", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const { account_id, endpoint } = yield* Queue.waiting(2)
      const [first, second] = yield* Queue.claim()
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      yield* deliveries.release([first!])
      yield* (yield* WebhookEndpoints).delete(account_id, endpoint.id)
      yield* deliveries.release([second!])
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id)).map(({ status, due_at, lease_until }) => [status, due_at, lease_until]),
        [
          ["canceled", null, null],
          ["canceled", null, null],
        ],
      )
    }),
  )

  it.effect("only the holder of a lease can release it", () =>
    Effect.gen(function* () {
      yield* Queue.waiting(1)
      const lost = yield* Queue.claimBriefly
      yield* Queue.claim()
      yield* (yield* Deliveries).release(lost)
      assert.deepStrictEqual(yield* Queue.claim(), [])
    }),
  )

  it.effect("releasing nothing is no mistake", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(1)
      yield* (yield* Deliveries).release([])
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id)).map(({ status }) => status),
        ["pending"],
      )
    }),
  )
}

const races = (it: Tests): void => {
  it.effect("claims at once never share a delivery, and together they miss none", () =>
    Effect.gen(function* () {
      const { account_id } = yield* Queue.waiting(0)
      yield* Fixture.atOnce(100, () => Fixture.asset(account_id))
      // So many that a pool which puts many statements on one connection has to take several connections.
      const claims = yield* Fixture.atOnce(300, () => Queue.claim({ limit: 1 }))
      // A claim may find all rows held by others; the last one finds what they then left.
      const jobs = [...claims.flat(), ...(yield* Queue.claim())]
      assert.deepStrictEqual(Queue.ids(jobs), Queue.ids(yield* Fixture.deliveries(account_id)))
    }),
  )
}

export const tests = (it: Tests): void => {
  held(it)
  released(it)
  races(it)
}

export const suite: Suite = suiteOf("Leases", tests)
