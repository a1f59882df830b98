/** How it is found again what an attempt was sent with. */
import { assert, describe, it } from "@effect/vitest"
import { type EndpointSettings, find, type FormerSettings, markOf } from "../src/EndpointSettings.ts"

const at = (second: number) => `2026-11-22T12:00:00.000Z`.replace("00.000", `${String(second).padStart(2, "0")}.000`)
const settings = (name: string): EndpointSettings => ({ url: `https://${name}.example/`, secret: name })
const until = (name: string, second: number): FormerSettings => ({ ...settings(name), until: at(second) })

const [FIRST, SECOND, PRESENT] = [settings("first"), settings("second"), settings("present")]
const former = [until("first", 10), until("second", 20)]
const marked = (second: number, mark: number) => find({ started_at: at(second), mark }, PRESENT, former)

describe("what an attempt was sent with", () => {
  it("is what held when it began, to the millisecond before its end, where it has no mark", () => {
    const began = [0, 9, 10, 19, 20, 59].map((second) => marked(second, 0))
    assert.deepStrictEqual(began, [FIRST, FIRST, SECOND, SECOND, PRESENT, PRESENT])
  })

  it("is what its mark says, before and after it held", () => {
    for (const one of [FIRST, SECOND, PRESENT])
      for (const second of [0, 15, 59]) assert.deepStrictEqual(marked(second, markOf(one)), one)
  })

  it("is not known where its mark is of none", () => {
    assert.isNull(marked(15, markOf(settings("other"))))
  })

  it("is not what was changed more than a minute before, or held a minute after", () => {
    const late = { started_at: "2026-11-22T12:01:15.000Z" }
    assert.isNull(find({ ...late, mark: markOf(FIRST) }, PRESENT, former))
    assert.deepStrictEqual(find({ ...late, mark: markOf(SECOND) }, PRESENT, former), SECOND)
    const early = { started_at: "2026-11-22T11:59:15.000Z" }
    assert.isNull(find({ ...early, mark: markOf(PRESENT) }, PRESENT, former))
    assert.deepStrictEqual(find({ ...early, mark: markOf(SECOND) }, PRESENT, former), SECOND)
  })

  it("has a mark from 1 to 999, of which no few are for many", () => {
    const marks = Array.from({ length: 10_000 }, (_, nth) => markOf(settings(`${nth}`)))
    assert.isTrue(marks.every((mark) => Number.isInteger(mark) && mark >= 1 && mark <= 999))
    assert.isAtLeast(new Set(marks).size, 990)
  })
})
