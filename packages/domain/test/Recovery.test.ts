import { assert, describe, it } from "@effect/vitest"
import { Recovery, Value } from "@tc/domain"
import { Result, Schema } from "effect"

const now = "2026-11-03T14:05:27.481Z"
const before = "2026-11-03T14:05:27.480Z"
const after = "2026-11-03T14:05:27.482Z"

/** The paths of what is wrong with a window. */
const wrong = (since: string, until?: string | null) =>
  Result.match(Recovery.window({ since, ...(until === undefined ? {} : { until }) }, now), {
    onFailure: ({ errors }) => errors.map(({ path, message }) => `${path} ${message}`),
    onSuccess: () => [],
  })

describe("the window of a recovery", () => {
  it("ends now where nothing else is said", () => {
    for (const until of [{}, { until: null }]) {
      assert.deepStrictEqual(
        Recovery.window({ since: before, ...until }, now),
        Result.succeed({ since: before, until: now }),
      )
    }
  })
  it("may be one moment, and may end before now", () => {
    assert.deepStrictEqual([wrong(now), wrong(before, before)], [[], []])
  })
  it("does not end before it begins", () => assert.deepStrictEqual(wrong(now, before), ["/since comes after until"]))
  it("does not reach into the future, at either end", () => {
    assert.deepStrictEqual(wrong(before, after), ["/until lies in the future"])
    assert.deepStrictEqual(wrong(after), ["/since lies in the future"])
    assert.deepStrictEqual(wrong(after, after), ["/since lies in the future", "/until lies in the future"])
  })
})

const recovery = Schema.decodeUnknownSync(Recovery.Recovery)({
  id: "019a4a8b-2831-7b5e-a6c7-8f1d2e3a4b13",
  account_id: "019a4a8b-2831-7b5e-a6c7-8f1d2e3a4b14",
  endpoint_id: "019a4a8b-2831-7b5e-a6c7-8f1d2e3a4b15",
  status: "pending",
  since: before,
  until: before,
  events: ["*"],
  event_count: 0,
  delivery_count: 0,
  created_at: before,
  updated_at: before,
  completed_at: null,
})

describe("a recovery", () => {
  it("has a time at which it ended when it is completed or canceled, and not before", () => {
    const running = Recovery.run("start", recovery, now)
    assert.deepStrictEqual(running, { ...recovery, status: "running", updated_at: now })
    for (const [command, status] of [
      ["finish", "completed"],
      ["cancel", "canceled"],
    ] as const) {
      assert.deepStrictEqual(Recovery.run(command, running, now), { ...running, status, completed_at: now })
    }
  })
  it("stays as it ended", () => {
    for (const ended of [Recovery.run("finish", recovery, now), Recovery.run("cancel", recovery, now)]) {
      for (const command of ["start", "finish", "cancel"] as const)
        assert.strictEqual(Recovery.run(command, ended, after), ended)
    }
  })
})

describe("a time as callers write it", () => {
  const read = Schema.decodeUnknownResult(Value.Instant)
  it("becomes a timestamp, whatever its zone and its precision", () => {
    for (const [text, timestamp] of [
      ["2026-11-03T14:05Z", "2026-11-03T14:05:00.000Z"],
      ["2026-11-03T14:05:27Z", "2026-11-03T14:05:27.000Z"],
      ["2026-11-03T15:05:27.5+01:00", "2026-11-03T14:05:27.500Z"],
      ["2026-11-03T14:05:27.481999Z", "2026-11-03T14:05:27.481Z"],
      [now, now],
    ] as const) {
      assert.strictEqual(Result.getOrThrow(read(text)), timestamp)
    }
  })
  it("needs a zone, and has to be a time", () => {
    for (const text of [
      "2026-11-03T14:05:27",
      "2026-11-03",
      "now",
      "",
      "2026-13-03T14:05:27Z",
      "2026-11-03T25:05:27Z",
      5,
      null,
    ]) {
      assert.isTrue(Result.isFailure(read(text)), String(text))
    }
  })
})
