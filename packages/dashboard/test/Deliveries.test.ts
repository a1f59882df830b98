/** Which deliveries are asked for, as the address says it. */
import { describe, expect, it } from "vitest"
import { happenedAt } from "../src/deliveries/Deliveries.ts"
import { deliverySearch, isNarrow, ofEvent } from "../src/deliveries/Search.ts"
import { subjectOf } from "../src/deliveries/Subject.ts"
import { bounds, fromInput, toInput } from "../src/deliveries/Span.ts"

const NOW = Date.parse("2026-11-22T12:00:00.000Z")
const MOMENT = "2026-11-22T10:00:00.000Z"

describe("a span of time", () => {
  it("reaches back from now, whenever that is", () => {
    expect(bounds({ within: "hour" }, NOW)).toEqual({ since: "2026-11-22T11:00:00.000Z" })
    expect(bounds({ within: "week" }, NOW)).toEqual({ since: "2026-11-15T12:00:00.000Z" })
    expect(bounds({}, NOW)).toEqual({})
  })

  it("is what the reader says, open at either end", () => {
    expect(bounds({ within: "custom", since: MOMENT }, NOW)).toEqual({ since: MOMENT })
    expect(bounds({ within: "custom", until: MOMENT }, NOW)).toEqual({ until: MOMENT })
  })

  it("is typed in the reader's own time, whole minutes with both their ends", () => {
    const since = fromInput("2026-11-22T10:00", "first")
    expect([toInput(since), Date.parse(since)]).toEqual(["2026-11-22T10:00", new Date(2026, 10, 22, 10).getTime()])
    expect(Date.parse(fromInput("2026-11-22T10:00", "last")) - Date.parse(since)).toBe(59_999)
    expect([toInput(""), fromInput("", "first")]).toEqual(["", ""])
  })
})

describe("an address", () => {
  it("keeps what makes sense of it, and nothing else", () => {
    expect(deliverySearch({ page: 2, status: "failed", within: "day", since: MOMENT, x: 1 })).toEqual({
      page: 2,
      status: "failed",
      within: "day",
    })
    expect(deliverySearch({ within: "custom", since: MOMENT, until: "soon" })).toEqual({
      within: "custom",
      since: MOMENT,
    })
    expect(deliverySearch({ within: "century", since: MOMENT, status: "lost" })).toEqual({})
    expect(deliverySearch({ within: "constructor", status: "toString", page: 1 })).toEqual({})
  })

  it("finds the deliveries of one event, and not those of others of its name", () => {
    const search = ofEvent("asset.created", MOMENT)
    expect(deliverySearch({ ...search })).toEqual(search)
    expect(bounds(search, NOW)).toEqual({ since: MOMENT, until: MOMENT })
  })

  it("narrows the list with all but its page", () => {
    expect(isNarrow({ page: 3 })).toBe(false)
    expect(isNarrow({ within: "hour" })).toBe(true)
  })
})

const body = (data: unknown) => JSON.stringify({ id: "1", event: "x", data })

it("the time of an event is read off the id of its delivery", () => {
  expect(happenedAt({ id: "019a4bdf-ac00-7000-8000-000000000000" as never })).toBe("2025-11-03T22:39:01.120Z")
})

describe("what a delivery is about", () => {
  it.each([
    ["product.created", body({ id: "7", name: "Tee" }), { kind: "products", id: "7", name: "Tee" }],
    ["print_area.updated", body({ id: "7" }), { kind: "print_areas", id: "7", name: "7" }],
    ["product.deleted", body({ id: "7", name: "Tee" }), null],
    ["font.created", body({ id: "7", name: "Sans" }), { kind: "assets", id: "7", name: "Sans" }],
    [
      "webhook_endpoint.disabled",
      body({ id: "7", url: "https://x.example/" }),
      { kind: null, id: "7", name: "https://x.example/" },
    ],
    ["bulk_order.completed", body({ id: "7" }), null],
    ["toString.created", body({ id: "7" }), null],
    ["design.created", body(null), null],
    ["design.created", null, null],
  ])("%s, %s", (event, text, subject) => {
    expect(subjectOf(event, text)).toEqual(subject)
  })
})
