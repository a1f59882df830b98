/** What the overview says and draws, without a browser. */
import { describe, expect, it } from "vitest"
import { rowsOf } from "../src/overview/Drawing.ts"
import { mark, span } from "../src/overview/Moment.ts"
import { overviewSearch } from "../src/overview/Search.ts"
import { percent } from "../src/parts/Activity.tsx"

describe("a share", () => {
  it.each([
    [1, "100%"],
    [0.9999, "99.9%"],
    [0.57, "57%"],
    [0.0004, "0%"],
    [0, "0%"],
  ])("of %d is told as %s", (share, told) => {
    expect(percent(share)).toBe(told)
  })
})

describe("a chart", () => {
  const lines = [
    { name: "Succeeded", color: "succeeded", values: [3, 0, null] },
    { name: "Failed", color: "failed", values: [1, 2, null] },
  ] as const

  it("has the bars of a stack behind each other, the highest at the back, in the middle of their steps", () => {
    expect(rowsOf({ kind: "stack", times: [0, 60, 120], step: 60, lines })).toEqual([
      [30, 90, 150],
      [4, 2, 0],
      [3, 0, 0],
    ])
  })

  it("has nothing where a line has no value", () => {
    expect(rowsOf({ kind: "lines", times: [0, 60, 120], step: 60, lines })[1]).toEqual([3, 0, null])
  })
})

describe("steps of time", () => {
  const noon = new Date(2026, 10, 22, 12, 0).getTime() / 1_000

  it("are told from their beginning to their end, where the reader is", () => {
    expect(span(noon, 900)).toBe("Sun, Nov 22, 12:00–12:15")
  })

  it("are marked by the day where marks are days apart", () => {
    expect([mark(noon, 3_600), mark(noon, 86_400)]).toEqual(["12:00", "22 Sun"])
  })
})

describe("the overview", () => {
  it("keeps of an address only a span that there is, and that is not the usual one", () => {
    expect([{ span: "7d" }, { span: "24h" }, { span: "1y" }].map(overviewSearch)).toEqual([{ span: "7d" }, {}, {}])
  })
})
