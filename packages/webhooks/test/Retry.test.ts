import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Retry from "../src/Retry.ts"

// Far from UTC, so that a date read in the local zone is wrong by hours.
process.env["TZ"] = "Pacific/Auckland"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const now = Date.UTC(2026, 0, 1)
const date = (milliseconds: number) => new Date(now + milliseconds).toUTCString()
const after = (attempt: number, outcome: Retry.Outcome) => Retry.next({ attempt, outcome, now })
const delayAfter = (attempt: number, outcome: Retry.Outcome) => {
  const next = after(attempt, outcome)
  return next.state === "pending" ? next.delay : assert.fail(next.state)
}

describe("an attempt", () => {
  it.each([200, 201, 202, 204, 299])("that is answered %d has delivered", (status) => {
    assert.deepStrictEqual(after(1, { status }), { state: "succeeded" })
  })

  it.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503, 599, 0])(
    "that is answered %d has not",
    (status) => {
      assert.deepStrictEqual(after(1, { status }), { state: "pending", delay: minute })
    },
  )

  it.each([1, 6])("that is answered 410 is the last, attempt %d", (attempt) => {
    assert.deepStrictEqual(after(attempt, { status: 410 }), { state: "gone" })
  })

  it("that is not answered has not", () => {
    assert.deepStrictEqual(after(1, { error: "timeout" }), { state: "pending", delay: minute })
  })

  it("that delivers is the last, whichever it is", () => {
    assert.deepStrictEqual(after(6, { status: 200 }), { state: "succeeded" })
  })
})

describe("the default schedule", () => {
  it("has six attempts, the first at once", () => {
    assert.deepStrictEqual(Retry.parse("0s,1m,5m,30m,2h,12h"), { ok: true, schedule: Retry.defaultSchedule })
  })

  it.each([
    [1, minute],
    [2, 5 * minute],
    [3, 30 * minute],
    [4, 2 * hour],
    [5, 12 * hour],
  ])("waits after attempt %d for %d ms", (attempt, delay) => {
    assert.strictEqual(delayAfter(attempt, { status: 500 }), delay)
  })

  it.each([6, 7, 100])("gives up after attempt %d", (attempt) => {
    assert.deepStrictEqual(after(attempt, { status: 500 }), { state: "failed" })
  })

  it("gives up after its last attempt, whatever the receiver asks for", () => {
    assert.deepStrictEqual(after(6, { status: 503, retry_after: "60" }), { state: "failed" })
  })
})

describe("a schedule", () => {
  it.each([
    ["0s", [0]],
    ["1ms,1s,1m,1h,1d", [1, 1000, minute, hour, day]],
    [" 0s , 90s ", [0, 90_000]],
    ["30d", [30 * day]],
    [Array(100).fill("1s").join(","), Array(100).fill(1000)],
  ])("is read from %s", (text, schedule) => {
    assert.deepStrictEqual(Retry.parse(text), { ok: true, schedule })
  })

  it.each([
    ["", 'delay 1 of the schedule: "" is not a whole number and a unit, such as 30s'],
    ["0s,", 'delay 2 of the schedule: "" is not a whole number and a unit, such as 30s'],
    ["0s,1m,5x", 'delay 3 of the schedule: "5x" has no unit out of ms, s, m, h and d'],
    ["0s,60", 'delay 2 of the schedule: "60" has no unit out of ms, s, m, h and d'],
    ["-1s", 'delay 1 of the schedule: "-1s" is not a whole number and a unit, such as 30s'],
    ["1.5h", 'delay 1 of the schedule: "1.5h" is not a whole number and a unit, such as 30s'],
    ["1 h", 'delay 1 of the schedule: "1 h" is not a whole number and a unit, such as 30s'],
    ["1H", 'delay 1 of the schedule: "1H" is not a whole number and a unit, such as 30s'],
    ["1constructor", 'delay 1 of the schedule: "1constructor" has no unit out of ms, s, m, h and d'],
    ["31d", 'delay 1 of the schedule: "31d" is longer than 30d'],
    [`${"9".repeat(400)}s`, `delay 1 of the schedule: "${"9".repeat(400)}s" is longer than 30d`],
    [Array(101).fill("1s").join(","), "the schedule has 101 delays; 100 is the most"],
  ])("is not read from %s", (text, message) => {
    assert.deepStrictEqual(Retry.parse(text), { ok: false, message })
  })

  it("of one delay is one attempt", () => {
    assert.deepStrictEqual(Retry.next({ attempt: 1, outcome: { status: 500 }, now, schedule: [0] }), {
      state: "failed",
    })
  })
})

describe("Retry-After", () => {
  it.each([429, 503])("of %d makes the delay longer", (status) => {
    assert.strictEqual(delayAfter(1, { status, retry_after: "120" }), 2 * minute)
  })

  it.each([400, 404, 408, 500, 502, 504, 301])("of %d is ignored", (status) => {
    assert.strictEqual(delayAfter(1, { status, retry_after: "120" }), minute)
  })

  it.each([
    ["a date", date(10 * minute)],
    ["a date with spaces around it", ` ${date(10 * minute)} `],
    ["a date in the form of RFC 850", "Thursday, 01-Jan-26 00:10:00 GMT"],
    ["a date in the form of asctime", "Thu Jan  1 00:10:00 2026"],
  ])("can be %s", (_, retry_after) => {
    assert.strictEqual(delayAfter(1, { status: 503, retry_after }), 10 * minute)
  })

  it.each([
    "0",
    "59",
    date(minute - 1000),
    date(-day),
    "-60",
    "",
    "soon",
    "1.5",
    "0x100",
    "1e3",
    "120, 240",
    "2027-01",
    "2027-01-01T00:00:00Z",
    "Fri, 99 Foo 2027 99:99:99 GMT",
    null,
    undefined,
  ])("of %j does not make the delay shorter", (retry_after) => {
    assert.strictEqual(delayAfter(1, { status: 429, retry_after }), minute)
  })

  it.each(["86400", "86401", "9".repeat(16_000), date(2 * day), "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "of %s makes the delay 24 hours",
    (retry_after) => {
      assert.strictEqual(delayAfter(1, { status: 429, retry_after }), day)
    },
  )

  it("does not make a delay of more than 24 hours shorter", () => {
    const ended = { attempt: 1, outcome: { status: 429, retry_after: "9999999" }, now, schedule: [0, 3 * day] } as const
    assert.deepStrictEqual(Retry.next(ended), { state: "pending", delay: 3 * day })
  })

  it.prop(
    "keeps the delay between that of the schedule and the longer of it and 24 hours, whatever it is",
    [Schema.String, Schema.Literals([1, 2, 3, 4, 5])],
    ([retry_after, attempt]) => {
      const scheduled = delayAfter(attempt, { status: 500 })
      const delay = delayAfter(attempt, { status: 429, retry_after })
      assert.isAtLeast(delay, scheduled)
      assert.isAtMost(delay, Math.max(scheduled, day))
    },
  )
})
