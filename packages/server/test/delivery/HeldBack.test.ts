/** Which lanes get their turn again when more is allowed, and that no more of them are looked at than there are slots. */
import { assert, describe, it } from "@effect/vitest"
import { HeldBack } from "../../src/HeldBack.ts"

interface Lane {
  readonly name: string
  under_way: number
}

const make = (...loads: ReadonlyArray<number>) => {
  const lanes = loads.map((under_way, nth): Lane => ({ name: `${nth}`, under_way }))
  const held = new HeldBack<Lane>()
  for (const lane of lanes) held.add(lane)
  /** The names of those that are released, so many at most. */
  const release = (allowance: number, most = Infinity): ReadonlyArray<string> => {
    const released: Array<string> = []
    held.release(allowance, ({ name }) => released.push(name) >= most)
    return released
  }
  return { lanes, held, release }
}

describe("lanes that are held back", () => {
  it("have their turn again once they have less under way than is allowed, those with least first", () => {
    const { release } = make(2, 1, 3, 1)
    assert.deepStrictEqual([release(1), release(3), release(4), release(64)], [[], ["1", "3", "0"], ["2"], []])
  })
  it("are looked at one by one, until there are enough", () => {
    const { release } = make(...Array.from({ length: 1_000 }, () => 1))
    assert.deepStrictEqual(
      [release(2, 3), release(2, 2)],
      [
        ["0", "1", "2"],
        ["3", "4"],
      ],
    )
  })
  it("are released by what they have under way now, when they are held back again", () => {
    const { lanes, held, release } = make(1, 1)
    for (const lane of lanes.slice(0, 1)) {
      lane.under_way = 2
      held.add(lane)
    }
    assert.deepStrictEqual([release(2), release(3)], [["1"], ["0"]])
  })
  it("are not released after they were removed", () => {
    const { lanes, held, release } = make(1, 1)
    for (const lane of lanes.slice(0, 1)) held.delete(lane)
    assert.deepStrictEqual(release(2), ["1"])
  })
})
