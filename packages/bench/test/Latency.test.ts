import { assert, describe, it } from "@effect/vitest"
import * as Latency from "../src/Latency.ts"

const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)

describe("percentiles", () => {
  it.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])("of 1 to 100, share %d is %d", (share, value) => {
    assert.strictEqual(Latency.percentile(hundred, share), value)
  })

  it("are values that were measured, never between two", () => {
    assert.strictEqual(Latency.percentile([10, 1], 0.5), 1)
  })

  it("show a delivery that never came", () => {
    assert.strictEqual(Latency.summary([...hundred.slice(0, 98), Infinity, Infinity]).p99, Infinity)
  })

  it("of nothing are nothing", () => {
    assert.isNaN(Latency.percentile([], 0.5))
  })
})
