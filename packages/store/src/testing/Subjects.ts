/** What happened to a record, found by its id in the text of its events: part of the suite of events. */
import { assert } from "@effect/vitest"
import { Design, Event, Sample } from "@tc/domain"
import { Effect } from "effect"
import { Events } from "../Events.ts"
import { Designs } from "../Repository.ts"
import type { Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

export const tests = (it: Tests): void => {
  it.effect("what happened to a record is told newest first, in pages, with how many deliveries there are of it", () =>
    Effect.gen(function* () {
      const { history } = yield* Events
      const { account_id, product_id } = yield* Fixture.shop
      const { id, created_at } = yield* Fixture.design(account_id, product_id)
      yield* Fixture.design(account_id, product_id)
      yield* Fixture.endpoint(account_id)
      yield* Fixture.endpoint(account_id)
      const designs = yield* Designs
      yield* designs.modify(account_id, id, Design.patch({ canvas_data: { saved: "é".repeat(5_000) } }))
      yield* designs.modify(account_id, id, Design.finalize())
      const request = { page: 1, per_page: 2, record_id: id, told_as: ["design"], since: created_at }
      const told = (more: object) =>
        Effect.map(history(account_id, { ...request, ...more }), ({ data, meta }) => [
          meta.total,
          ...data.map(({ event, delivery_count }) => `${event} ${delivery_count}`),
        ])
      assert.deepStrictEqual(yield* told({}), [3, "design.finalized 2", "design.updated 2"])
      assert.deepStrictEqual(yield* told({ page: 2 }), [3, "design.created 0"])
      assert.deepStrictEqual(yield* told({ page: 3 }), [3])
      assert.deepStrictEqual(yield* told({ since: "2999-01-01T00:00:00.000Z" }), [0])
      assert.deepStrictEqual(yield* told({ told_as: ["product"] }), [0])
      assert.deepStrictEqual((yield* history(yield* Fixture.account, request)).data, [])
      const [latest] = (yield* history(account_id, request)).data
      assert.deepStrictEqual(Object.keys(latest!), ["id", "event", "occurred_at", "delivery_count"])
    }),
  )

  it.effect("the record of every event is found by its id, also where a program raised it", () =>
    Effect.gen(function* () {
      const { emit, history } = yield* Events
      const account_id = yield* Fixture.account
      for (const event of Event.all) {
        const { id, ...data } = Sample.of(event)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sample of an event, its keys in another order
        yield* emit(account_id, { event, data: { ...data, id } } as Event.Emission)
        const [subject = ""] = event.split(".")
        const request = { ...Fixture.all, record_id: id, told_as: [subject], since: "2020-01-01T00:00:00.000Z" }
        const [latest] = (yield* history(account_id, request)).data
        assert.strictEqual(latest?.event, event)
      }
    }),
  )
}
