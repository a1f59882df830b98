import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "../src/Ledger.ts"
import * as Report from "../src/Report.ts"
import * as Table from "../src/Table.ts"

const figure = { name: "p99_ms", project: 12, reference: 8, against: "floor" } as const

const ledger = Ledger.make({
  accepted: 3,
  counts: { delivered: 3, pending: 0, failed: 0, canceled: 0 },
  received: { requests: 3, deliveries: 3, pairs: 3 },
  at_least_once: false,
})

const report: Report.Report = {
  scenario: "steady",
  figures: [{ ...figure, target: { most: 2 } }],
  peers: [
    { name: "pg-boss", per_second: { project: 12, reference: 4 }, note: "in batches" },
    { name: "bullmq", per_second: null, note: "not measured: no Redis" },
  ],
  ledgers: { project: ledger },
  spec: { seconds: 60 },
}

const conditions = {
  date: "2026-11-21T09:00:00.000Z",
  processor: "Some Processor",
  cores: 2,
  memory_gib: 24,
  system: "linux",
  load: 0.1,
  versions: { node: "v24.21.0" },
}

describe("a target", () => {
  it.each([
    [{ least: 1.5 }, true],
    [{ least: 1.6 }, false],
    [{ most: 1.5 }, true],
    [{ most: 1.4 }, false],
    [{ within: 4 }, true],
    [{ within: 3 }, false],
    [{ at_most: 12 }, true],
    [{ at_most: 11 }, false],
  ])("of %j, for 12 beside 8, is reached: %j", (target, reached) => {
    assert.strictEqual(Report.reached({ ...figure, target }), reached)
  })

  it("is not reached by a figure that is none", () => {
    assert.isFalse(Report.reached({ ...figure, project: Infinity, target: { within: 10 } }))
  })
})

describe("a report", () => {
  it("is void with one ledger that does not balance", () => {
    const floor = { ...ledger, balanced: false, problems: ["1 deliveries came twice"] }
    const bad = { ...report, ledgers: { project: ledger, floor } }
    assert.isFalse(Report.isVoid(report))
    assert.isTrue(Report.isVoid(bad))
    assert.include(Table.lines(bad).join("\n"), "VOID: the ledger of floor does not balance: 1 deliveries came twice")
  })

  it("becomes a page that names machine, versions and date, and sets each figure beside its reference", () => {
    const page = Table.page([report], [], conditions)
    for (const text of [
      "2026-11-21",
      "Some Processor",
      "node v24.21.0",
      "| p99_ms | 8 | 12 | 1.5 | ≤ 2 × floor | yes |",
    ])
      assert.include(page, text)
  })

  it("says why a peer was not measured", () => {
    const page = Table.page([report], [], conditions)
    assert.include(page, "| bullmq | not measured |")
    assert.include(page, "- bullmq: not measured: no Redis")
  })
})
