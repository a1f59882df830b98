/** Which endpoints of an account are in trouble, by how they stand and by their attempts of late. */
import { assert } from "@effect/vitest"
import type { Id, WebhookEndpoint } from "@tc/domain"
import { Effect, Result } from "effect"
import { WebhookEndpoints } from "../Repository.ts"
import { MINUTE_MS, Tallies } from "../Tallies.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"
import { add, counted, NOON } from "./Tallies.ts"

/** An endpoint that stands as `fields` say. */
const standing = (account_id: Id.AccountId, fields: Partial<WebhookEndpoint.WebhookEndpoint>) =>
  Effect.gen(function* () {
    const { id } = yield* Fixture.endpoint(account_id)
    return yield* (yield* WebhookEndpoints).modify(account_id, id, (row) =>
      Result.succeed({ row: { ...row, ...fields }, events: [] }),
    )
  })

const troubled = (account_id: Id.AccountId, limit = 10) =>
  Effect.flatMap(Tallies, ({ troubled }) => troubled(account_id, { since: NOON, limit }))

export const tests = (it: Tests): void => {
  it.effect(
    "endpoints are in trouble that failures have disabled, that fail, or of whose attempts too few succeed, in this order",
    () =>
      Effect.gen(function* () {
        const account_id = yield* Fixture.account
        const low = yield* standing(account_id, {})
        const lower = yield* standing(account_id, {})
        const failing = yield* standing(account_id, { consecutive_failures: 1 })
        const worse = yield* standing(account_id, { consecutive_failures: 3 })
        const disabled = yield* standing(account_id, { status: "auto-disabled" })
        const [good, off, before] = [
          yield* standing(account_id, {}),
          yield* standing(account_id, { status: "disabled", consecutive_failures: 2 }),
          yield* standing(account_id, {}),
        ]
        const all = [
          [low, { succeeded: 89, failed: 11 }],
          [lower, { succeeded: 1, retried: 1 }],
          [failing, { succeeded: 100 }],
          [good, { succeeded: 90, retried: 10 }],
          [off, { succeeded: 0, failed: 10 }],
          [before, { succeeded: 0, failed: 10, minute: NOON - MINUTE_MS }],
        ] as const
        yield* add(...all.map(([{ id }, fields]) => counted(account_id, { endpoint_id: id, ...fields })))
        const ranked = [disabled, worse, failing, lower, low]
        const found = yield* troubled(account_id)
        assert.deepStrictEqual(
          found.map(({ endpoint }) => endpoint),
          ranked,
        )
        assert.deepStrictEqual(found[3], {
          endpoint: lower,
          outcomes: { succeeded: 1, retried: 1, failed: 0 },
          latest_at: NOON,
        })
        assert.deepStrictEqual(
          [found[0]?.latest_at, found[0]?.outcomes],
          [null, { succeeded: 0, retried: 0, failed: 0 }],
        )
        assert.lengthOf(yield* troubled(account_id, 2), 2)
      }),
  )

  it.effect("an account sees its own endpoints in trouble alone", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* Fixture.account, yield* Fixture.account]
      const { id: endpoint_id } = yield* standing(mine, {})
      yield* standing(theirs, { consecutive_failures: 1 })
      yield* add(counted(theirs, { endpoint_id, succeeded: 0, failed: 1 }))
      assert.deepStrictEqual(yield* troubled(mine), [])
    }),
  )
}

export const suite: Suite = suiteOf("Trouble", tests)
