/** Whose turn it is, in random histories. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Lanes } from "../../src/Lanes.ts"
import { item, type Item, lane, make, takeAll } from "./Trial.ts"

/** A history: deliveries of some endpoints come, start, end in any order, and are swept. */
const History = Schema.Array(
  Schema.Struct({
    what: Schema.Literals(["add", "add", "add retry", "take", "take", "done", "sweep"]),
    which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  }),
)

const endpoint = (which: number) => `endpoint ${which}`
const ENDPOINTS = Array.from({ length: 6 }, (_, which) => endpoint(which))
const small = { concurrency: 6, per_endpoint: 2, capacity: 20 }

const run = (history: typeof History.Type, check: (lanes: Lanes<Item>, under_way: ReadonlyArray<Item>) => void) => {
  const lanes = make(small)
  const all: Array<Item> = []
  const out: Array<Item> = []
  let under_way: ReadonlyArray<Item> = []
  const end = (one: Item | undefined) => {
    if (one === undefined) return
    lanes.done(one, true)
    under_way = under_way.filter((other) => other !== one)
    out.push(one)
  }
  for (const { what, which } of history) {
    const added = item(endpoint(which), what === "add retry" ? 2 : 1)
    if (what === "take") {
      const taken = lanes.take()
      if (taken !== undefined) under_way = [...under_way, taken]
    } else if (what === "done") end(under_way[which])
    else if (what === "sweep") out.push(...lanes.sweep(({ id }) => id % 2 === 0))
    else if (lanes.add(added)) all.push(added)
    check(lanes, under_way)
  }
  return { lanes, all, out, under_way, end }
}

describe("lanes, whatever happens,", () => {
  it.prop("never have more under way than their caps", [History], ([history]) => {
    run(history, (lanes, under_way) => {
      assert.isAtMost(under_way.length, small.concurrency)
      const each = Map.groupBy(under_way, ({ endpoint_id }) => endpoint_id)
      for (const [, its] of each) assert.isAtMost(its.length, small.per_endpoint)
      assert.strictEqual(lanes.underWay, under_way.length)
    })
  })
  it.prop("never have more waiting than their capacity, and know how much", [History], ([history]) => {
    const { lanes, all, out, under_way } = run(history, ({ waiting }) => assert.isAtMost(waiting, small.capacity))
    assert.strictEqual(lanes.waiting, all.length - out.length - under_way.length)
    assert.strictEqual(lanes.characters, lanes.waiting * "tail".length)
  })
  it.prop("give everything that was added, once, as long as attempts end", [History], ([history]) => {
    const ended = run(history, () => {})
    for (const one of ended.under_way) ended.end(one)
    for (let next = ended.lanes.take(); next !== undefined; next = ended.lanes.take()) ended.end(next)
    assert.deepStrictEqual(
      ended.out.map(({ id }) => id).toSorted((a, b) => a - b),
      ended.all.map(({ id }) => id),
    )
    assert.strictEqual(ended.lanes.size, 0)
  })
  it.prop("leave no first attempt waiting while its endpoint may have more under way", [History], ([history]) => {
    const firsts = history.map((step) => (step.what === "add retry" ? { ...step, what: "add" as const } : step))
    const { lanes, under_way } = run(firsts, () => {})
    const each = Map.groupBy([...under_way, ...takeAll(lanes)], (one) => one.lane)
    for (const name of lanes.free === 0 ? [] : ENDPOINTS.map((one) => lane(one))) {
      const its = each.get(name)?.length ?? 0
      assert.isTrue(lanes.load(name) === its || its >= lanes.allowance)
    }
  })
  it.prop("start something whenever something waits and nothing is under way", [History], ([history]) => {
    const { lanes, under_way, end } = run(history, () => {})
    for (const one of under_way) end(one)
    assert.strictEqual(lanes.take() !== undefined, lanes.waiting + lanes.underWay > 0)
  })
})
