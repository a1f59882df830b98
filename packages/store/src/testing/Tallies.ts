/** What attempts came to is added up, whoever adds it, and read in steps and by endpoint. */
import { assert } from "@effect/vitest"
import { Id, Tally } from "@tc/domain"
import { Effect } from "effect"
import { type Counted, HOUR_MS, MINUTE_MS, Tallies } from "../Tallies.ts"
import { type Suite, suite as suiteOf, type Tests } from "./Contract.ts"
import * as Fixture from "./Fixture.ts"

/** The beginning of an hour in the past. */
export const NOON = Date.parse("2026-11-01T12:00:00.000Z")

const newEndpointId = () => Id.WebhookEndpointId.id.make(crypto.randomUUID())

/** So many attempts in one bucket. */
const took = (bucket: number, count: number) => Tally.none.durations.map((_, nth) => (nth === bucket ? count : 0))

/** One attempt that succeeded at noon, unless `fields` say otherwise. */
export const counted = (account_id: Id.AccountId, fields: Partial<Counted> = {}): Counted => ({
  account_id,
  endpoint_id: newEndpointId(),
  minute: NOON,
  latest_at: fields.minute ?? NOON,
  succeeded: 1,
  retried: 0,
  failed: 0,
  durations: took(0, 1),
  ...fields,
})

export const add = (...all: ReadonlyArray<Counted>) => Effect.flatMap(Tallies, ({ add }) => add(all))

/** The steps of an hour from noon on, unless others are asked for. */
const steps = (account_id: Id.AccountId, fields: { from?: number; until?: number; step_ms?: number } = {}) =>
  Effect.flatMap(Tallies, ({ steps }) =>
    steps(account_id, { from: NOON, until: NOON + HOUR_MS, step_ms: MINUTE_MS, ...fields }),
  )

const ofEndpoints = (account_id: Id.AccountId, ids: ReadonlyArray<Id.WebhookEndpointId>, since = NOON) =>
  Effect.flatMap(Tallies, ({ ofEndpoints }) => ofEndpoints(account_id, ids, since))

const inSteps = (it: Tests): void => {
  it.effect(
    "attempts of an account are added up by minute, with how long they took, those of all endpoints together",
    () =>
      Effect.gen(function* () {
        const account_id = yield* Fixture.account
        const [first, second] = [newEndpointId(), newEndpointId()]
        yield* add(
          counted(account_id, { endpoint_id: first, succeeded: 3, durations: took(2, 3) }),
          counted(account_id, { endpoint_id: second, retried: 2, failed: 1, durations: took(13, 4) }),
        )
        yield* add(
          counted(account_id, { endpoint_id: first }),
          counted(account_id, { endpoint_id: first, minute: NOON + MINUTE_MS }),
        )
        const durations = [took(2, 3), took(13, 4), took(0, 1)].reduce((sum, one) => sum.map((n, nth) => n + one[nth]!))
        assert.deepStrictEqual(yield* steps(account_id), [
          { at: NOON, succeeded: 5, retried: 2, failed: 1, durations },
          { at: NOON + MINUTE_MS, succeeded: 1, retried: 0, failed: 0, durations: took(0, 1) },
        ])
      }),
  )

  it.effect("minutes are summed up in longer steps, each of which begins at a multiple of its length", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const minutes = [3, 14, 15, 44]
      yield* add(...minutes.map((minute) => counted(account_id, { minute: NOON + minute * MINUTE_MS })))
      const found = yield* steps(account_id, { step_ms: 15 * MINUTE_MS })
      assert.deepStrictEqual(
        found.map(({ at, succeeded }) => [(at - NOON) / MINUTE_MS, succeeded]),
        [
          [0, 2],
          [15, 1],
          [30, 1],
        ],
      )
    }),
  )

  it.effect("only the minutes from one time on and before another are summed up", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      yield* add(...[0, 1, 2, 3].map((nth) => counted(account_id, { minute: NOON + nth * MINUTE_MS })))
      for (const from of [NOON + 1, NOON + MINUTE_MS]) {
        const found = yield* steps(account_id, { from, until: NOON + 3 * MINUTE_MS })
        assert.deepStrictEqual(
          found.map(({ at }) => (at - NOON) / MINUTE_MS),
          [1, 2],
        )
      }
    }),
  )

  it.effect("what is added by many at the same moment, in whatever order, is all there", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      const ids = Array.from({ length: 8 }, newEndpointId)
      const all = ids.map((endpoint_id, nth) =>
        counted(account_id, { endpoint_id, minute: NOON + (nth % 4) * MINUTE_MS }),
      )
      yield* Fixture.atOnce(40, (nth) => add(...(nth % 2 === 0 ? all : all.toReversed())))
      assert.deepStrictEqual(
        (yield* steps(account_id)).map(({ succeeded }) => succeeded),
        [80, 80, 80, 80],
      )
      assert.deepStrictEqual(
        (yield* ofEndpoints(account_id, ids)).map(({ outcomes }) => outcomes.succeeded),
        ids.map(() => 40),
      )
    }),
  )
}

const byEndpoint = (it: Tests): void => {
  it.effect(
    "attempts of an endpoint are added up from the hour of a time on, and the latest is known however old",
    () =>
      Effect.gen(function* () {
        const account_id = yield* Fixture.account
        const [busy, quiet, silent] = [newEndpointId(), newEndpointId(), newEndpointId()]
        yield* add(
          counted(account_id, { endpoint_id: busy, minute: NOON + MINUTE_MS, latest_at: NOON + 61_234, failed: 2 }),
          counted(account_id, { endpoint_id: busy, minute: NOON - MINUTE_MS }),
          counted(account_id, { endpoint_id: quiet, minute: NOON - 3 * HOUR_MS }),
          counted(account_id),
        )
        // What another process adds later may have ended before.
        yield* add(counted(account_id, { endpoint_id: busy, minute: NOON, latest_at: NOON + 9, retried: 4 }))
        const found = yield* ofEndpoints(account_id, [busy, quiet, silent], NOON + 30 * MINUTE_MS)
        assert.sameDeepMembers(
          [...found],
          [
            { endpoint_id: busy, outcomes: { succeeded: 2, retried: 4, failed: 2 }, latest_at: NOON + 61_234 },
            { endpoint_id: quiet, outcomes: { succeeded: 0, retried: 0, failed: 0 }, latest_at: NOON - 3 * HOUR_MS },
          ],
        )
      }),
  )

  it.effect("accounts are counted apart, also where their endpoints have the same id", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* Fixture.account, yield* Fixture.account]
      const endpoint_id = newEndpointId()
      yield* add(counted(mine, { endpoint_id }), counted(theirs, { endpoint_id, succeeded: 0, failed: 7 }))
      const [found] = yield* ofEndpoints(mine, [endpoint_id])
      assert.deepStrictEqual(found?.outcomes, { succeeded: 1, retried: 0, failed: 0 })
      assert.deepStrictEqual(
        (yield* steps(mine)).map(({ succeeded, failed }) => [succeeded, failed]),
        [[1, 0]],
      )
    }),
  )
}

const forgotten = (it: Tests): void => {
  it.effect("what is older than the hour of a time is removed, and the rest stays", () =>
    Effect.gen(function* () {
      const account_id = yield* Fixture.account
      // So long ago that no other test has anything there.
      const old = Date.parse("2001-01-01T12:00:00.000Z")
      const endpoint_id = newEndpointId()
      const minutes = [old - MINUTE_MS, old, old + MINUTE_MS]
      yield* add(...minutes.map((minute) => counted(account_id, { endpoint_id, minute })))
      yield* (yield* Tallies).prune(old + 30 * MINUTE_MS)
      assert.deepStrictEqual(
        (yield* steps(account_id, { from: old - HOUR_MS, until: old + HOUR_MS })).map(({ at }) => at),
        [old, old + MINUTE_MS],
      )
      const since = old - HOUR_MS
      assert.strictEqual((yield* ofEndpoints(account_id, [endpoint_id], since))[0]?.outcomes.succeeded, 2)
      yield* (yield* Tallies).prune(old + HOUR_MS)
      assert.deepStrictEqual(yield* steps(account_id, { from: since, until: old + HOUR_MS }), [])
      assert.deepStrictEqual(yield* ofEndpoints(account_id, [endpoint_id], since), [])
    }),
  )
}

export const tests = (it: Tests): void => {
  inSteps(it)
  byEndpoint(it)
  forgotten(it)
}

export const suite: Suite = suiteOf("Tallies", tests)
