import { assert, describe, it } from "@effect/vitest"
import * as Run from "../src/Run.ts"

/** Two events, to be sent at 0 and 1,000 ms, of which the generator sent the first 500 ms late. */
const offered = {
  first: 10,
  scheduled: Float64Array.of(0, 1_000),
  sent: Float64Array.of(500, 1_000),
  accepted: Float64Array.of(510, 1_010),
  stopped: null,
}

/** Requests: number of the event, number of the endpoint, time. */
const arrived = (...requests: ReadonlyArray<readonly [number, number, number]>) => ({
  events: Float64Array.from(requests, ([event]) => event),
  endpoints: Float64Array.from(requests, ([, endpoint]) => endpoint),
  at: Float64Array.from(requests, ([, , at]) => at),
})

describe("a run", () => {
  it("counts a delivery's latency from when its event was to be sent", () => {
    assert.deepStrictEqual(Run.judge(offered, arrived([10, 0, 520], [11, 0, 1_020]), 1).latency, [520, 20])
  })

  it("counts a delivery that never came as one that took for ever", () => {
    assert.deepStrictEqual(Run.judge(offered, arrived([11, 0, 1_020]), 1).latency, [20, Infinity])
  })

  it("does not owe what was refused", () => {
    const refused = { ...offered, accepted: Float64Array.of(Number.NaN, 1_010) }
    assert.deepStrictEqual(Run.judge(refused, arrived([11, 0, 1_020]), 1).latency, [20])
  })

  it("takes the first of two receipts, of each endpoint, and leaves out other events", () => {
    const requests = arrived([9, 0, 1], [10, 0, 520], [10, 0, 900], [10, 1, 530], [11, 0, 1_020], [11, 1, 1_040])
    assert.deepStrictEqual(Run.judge(offered, requests, 2).latency, [520, 530, 20, 40])
  })

  it("has the rate of its receipts, from the first scheduled event to the last receipt", () => {
    assert.strictEqual(Run.judge(offered, arrived([10, 0, 520], [11, 0, 2_000]), 1).per_second, 1)
  })
})
