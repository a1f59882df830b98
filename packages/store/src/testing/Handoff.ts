/** How deliveries reach a receiver in the same process: those born under its lease, the word that others wait, and recalls. */
import { assert, it, type Vitest } from "@effect/vitest"
import type { WebhookEndpoint } from "@tc/domain"
import { Clock, Effect, Layer, Result } from "effect"
import { Deliveries } from "../Deliveries.ts"
import { WebhookEndpoints } from "../Repository.ts"
import { Retention } from "../Retention.ts"
import type { Services } from "../Services.ts"
import * as Contract from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import * as Queue from "./Queue.ts"
import { begin, Recorder } from "./Recorder.ts"
import * as Recovering from "./Recovering.ts"
import * as Turns from "./Turns.ts"

type Tests = Vitest.MethodsNonLive<Services | Recorder>

const leased = (it: Tests): void => {
  it.effect("a delivery is born under the receiver's lease and offered to it", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(60_000)
      yield* Fixture.asset(account_id)
      const [delivery] = yield* Fixture.deliveries(account_id)
      assert.deepStrictEqual(
        recorder.offered.map(({ id }) => id),
        [delivery!.id],
      )
      assert.deepStrictEqual([delivery?.status, delivery?.due_at], ["delivering", null])
      assert.strictEqual(Date.parse(delivery?.lease_until ?? ""), recorder.offered[0]!.lease_until)
      assert.strictEqual(recorder.woken(), 0)
    }),
  )

  it.effect("a delivery that is offered is not claimed, and is settled under the lease it was born with", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(60_000)
      yield* Fixture.asset(account_id)
      assert.deepStrictEqual(yield* Queue.claim(), [])
      assert.deepStrictEqual(yield* Queue.settle([...recorder.offered], "succeeded"), [true])
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id)).map(({ status }) => status),
        ["succeeded"],
      )
    }),
  )

  it.effect("a delivery whose lease runs out unused is claimed, with the same job under another lease", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(1)
      yield* Fixture.asset(account_id)
      yield* Effect.sleep("10 millis")
      const [job] = yield* Queue.claim()
      const [offer] = recorder.offered
      assert.notStrictEqual(job?.lease, offer?.lease)
      assert.deepStrictEqual(offer, { ...job!, lease: offer!.lease, lease_until: offer!.lease_until })
      assert.deepStrictEqual(yield* Queue.settle([offer!], "succeeded"), [false])
    }),
  )

  it.effect("a delivery that is offered is not removed for its age, nor its event", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(60_000)
      yield* Fixture.asset(account_id)
      yield* Effect.sleep("10 millis")
      const { prune } = yield* Retention
      const request = { before: yield* Clock.currentTimeMillis, limit: 1_000, max_bytes: 1024 * 1024 }
      for (let { next } = yield* prune({ ...request, from: null }); next !== null;) {
        next = (yield* prune({ ...request, from: next })).next
      }
      assert.strictEqual((yield* Fixture.told(account_id)).length, 1)
      assert.deepStrictEqual(yield* Queue.settle([...recorder.offered], "succeeded"), [true])
    }),
  )

  it.effect("a delivery that is given back is claimed", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(60_000)
      yield* Fixture.asset(account_id)
      yield* (yield* Deliveries).release(recorder.offered)
      assert.deepStrictEqual(Queue.ids(yield* Queue.claim()), Queue.ids(recorder.offered))
    }),
  )

  it.effect("every delivery of an event is offered, each with the secret of its own endpoint", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, recorder } = yield* begin(60_000)
      const other = yield* Fixture.endpoint(account_id, { url: "https://other.example/hook" })
      yield* Fixture.asset(account_id)
      const sealed = new Map(recorder.offered.map(({ url, secret }) => [url, secret]))
      assert.deepStrictEqual(
        sealed,
        new Map([
          [endpoint.url, endpoint.secret],
          [other.url, other.secret],
        ]),
      )
      assert.strictEqual(new Set(recorder.offered.map(({ tail }) => tail)).size, 1)
    }),
  )

  it.effect("the event that an endpoint was disabled is offered too", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(60_000)
      yield* Effect.forEach(Array.from({ length: 5 }), () => Fixture.asset(account_id))
      const witness = yield* Fixture.endpoint(account_id, { events: ["webhook_endpoint.disabled"] })
      const jobs = [...recorder.offered]
      recorder.start(60_000)
      yield* Queue.settle(jobs, "exhausted")
      assert.deepStrictEqual(
        recorder.offered.map(({ endpoint_id, event }) => [endpoint_id, event]),
        [[witness.id, "webhook_endpoint.disabled"]],
      )
    }),
  )
}

const told = (it: Tests): void => {
  it.effect("a receiver without room is told that deliveries wait", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(null)
      yield* Fixture.asset(account_id)
      assert.deepStrictEqual(
        (yield* Fixture.deliveries(account_id)).map(({ status }) => status),
        ["pending"],
      )
      assert.deepStrictEqual(recorder.offered, [])
      assert.isAtLeast(recorder.woken(), 1)
    }),
  )

  it.effect("a delivery is due when its delay is over, and not before", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(null)
      recorder.start(null, 60_000)
      yield* Fixture.asset(account_id)
      const [delivery] = yield* Fixture.deliveries(account_id)
      assert.strictEqual(Date.parse(delivery?.due_at ?? "") - Date.parse(delivery?.created_at ?? ""), 60_000)
      assert.deepStrictEqual(yield* Queue.claim(), [])
      assert.isAtLeast(recorder.woken(), 1)
    }),
  )

  it.effect("a receiver is told of the deliveries of a recovery", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, recorder } = yield* begin(null)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "disabled" })
      yield* Fixture.asset(account_id)
      yield* Recovering.ask(yield* Fixture.patchEndpoint(account_id, endpoint.id, { status: "active" }))
      recorder.start(60_000)
      assert.strictEqual((yield* Recovering.work()).at(-1)?.delivery_count, 1)
      assert.isAtLeast(recorder.woken(), 1)
      assert.strictEqual((yield* Queue.claim()).length, 1)
    }),
  )

  it.effect("a delivery that a person retries is told of", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(null)
      yield* Fixture.asset(account_id)
      const [job] = yield* Queue.claim()
      yield* Queue.settle([job!], "failed")
      recorder.start(null)
      yield* (yield* Deliveries).retry(account_id, job!.id)
      assert.isAtLeast(recorder.woken(), 1)
    }),
  )

  it.effect("what is refused is neither offered nor told of", () =>
    Effect.gen(function* () {
      const { account_id, recorder } = yield* begin(60_000)
      const { id } = yield* Fixture.asset(account_id)
      recorder.start(60_000)
      yield* Effect.flip(Fixture.asset(account_id, { id }))
      recorder.start(null)
      yield* Effect.flip(Fixture.asset(account_id, { id }))
      assert.deepStrictEqual([recorder.offered, recorder.woken()], [[], 0])
    }),
  )
}

/** Changes that leave what waits for an endpoint out of date. */
const outdating: Record<
  string,
  (endpoint: WebhookEndpoint.WebhookEndpoint) => Effect.Effect<unknown, unknown, Services>
> = {
  "is disabled": ({ account_id, id }) => Fixture.patchEndpoint(account_id, id, { status: "disabled" }),
  "gets another URL": ({ account_id, id }) => Fixture.patchEndpoint(account_id, id, { url: "https://moved.example/" }),
  "gets another secret": ({ account_id, id }) =>
    Effect.flatMap(WebhookEndpoints, (endpoints) =>
      endpoints.modify(account_id, id, (row) => Result.succeed({ row: { ...row, secret: "another" }, events: [] })),
    ),
  "is removed": ({ account_id, id }) =>
    Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.delete(account_id, id)),
  "is disabled by its failures": ({ account_id }) =>
    Effect.gen(function* () {
      yield* Fixture.atOnce(5, () => Fixture.asset(account_id))
      yield* Queue.settle(yield* Queue.claim(), "exhausted")
    }),
}

const recalled = (it: Tests): void => {
  for (const [change, make] of Object.entries(outdating)) {
    it.effect(`what waits for an endpoint is recalled when it ${change}`, () =>
      Effect.gen(function* () {
        const { account_id, endpoint, recorder } = yield* begin(null)
        yield* Fixture.endpoint(account_id, { events: ["store.created"] })
        yield* make(endpoint)
        assert.deepStrictEqual(recorder.recalled, [{ account_id, endpoint_id: endpoint.id }])
      }),
    )
  }

  it.effect("any other change, and one that is refused, recalls nothing", () =>
    Effect.gen(function* () {
      const { account_id, endpoint, recorder } = yield* begin(null)
      yield* Fixture.patchEndpoint(account_id, endpoint.id, { events: ["asset.created"], description: "Assets only" })
      yield* Effect.flip((yield* WebhookEndpoints).modify(account_id, endpoint.id, () => Result.fail("no")))
      yield* Fixture.asset(account_id)
      yield* Queue.settle(yield* Queue.claim(), "exhausted")
      assert.deepStrictEqual(recorder.recalled, [])
    }),
  )
}

/** Builds a storage anew, for it must find the receiver while it is built. */
export const suite: Contract.Suite = (name, layer) => {
  const storage = layer.pipe(Layer.provideMerge(Recorder.layerHandoff))
  it.layer(storage, Contract.options)(`Handoff (${name})`, (it) => {
    leased(it)
    Turns.tests(it)
    told(it)
    recalled(it)
  })
}
