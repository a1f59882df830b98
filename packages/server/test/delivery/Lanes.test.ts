import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Lane from "../../src/Lane.ts"
import { Lanes } from "../../src/Lanes.ts"

const limits = { concurrency: 64, per_endpoint: 8, capacity: 512, characters: 10_000, window: Infinity }
const make = (some: Partial<typeof limits> = {}) => new Lanes<Item>({ ...limits, ...some })

interface Item extends Lane.Item {
  readonly id: number
}

let ids = 0
const item = (endpoint_id: string, attempt = 1, account_id = "account"): Item => {
  const endpoint = { account_id, endpoint_id }
  return { ...endpoint, lane: Lane.nameOf(endpoint), attempt, tail: "tail", id: ids++ }
}
const lane = (endpoint_id: string) => item(endpoint_id).lane

const fill = (lanes: Lanes<Item>, items: ReadonlyArray<Item>) => items.map((one) => lanes.add(one))
const items = (count: number, endpoint_id: string, attempt = 1) =>
  Array.from({ length: count }, () => item(endpoint_id, attempt))

/** Takes all that may start. */
const takeAll = (lanes: Lanes<Item>): Array<Item> => {
  const taken: Array<Item> = []
  for (let next = lanes.take(); next !== undefined; next = lanes.take()) taken.push(next)
  return taken
}

describe("lanes", () => {
  it("give nothing when nothing waits", () => assert.isUndefined(make().take()))
  it("give the oldest of an endpoint first", () => {
    const lanes = make()
    const waiting = items(2, "a")
    fill(lanes, waiting)
    assert.deepStrictEqual(takeAll(lanes), waiting)
  })
  it("let endpoints take turns, however much the first of them has waiting", () => {
    const lanes = make()
    fill(lanes, [...items(20, "a"), ...items(2, "b"), ...items(2, "c")])
    assert.deepStrictEqual(
      takeAll(lanes)
        .slice(0, 6)
        .map(({ endpoint_id }) => endpoint_id),
      ["a", "b", "c", "a", "b", "c"],
    )
  })
  it("give one endpoint no more than its cap", () => {
    const lanes = make()
    fill(lanes, items(100, "a"))
    assert.strictEqual(takeAll(lanes).length, 8)
  })
  it("give an endpoint that has not answered little, and one more for each attempt that it answers", () => {
    const lanes = make({ window: 2 })
    fill(lanes, items(100, "a"))
    const had: Array<number> = []
    let under_way = takeAll(lanes)
    for (let round = 0; round < 4; round++) {
      had.push(under_way.length)
      for (const one of under_way) lanes.done(one, true)
      under_way = takeAll(lanes)
    }
    assert.deepStrictEqual(had, [2, 4, 8, 8])
  })
  it("give an endpoint little again when it no longer answers", () => {
    const lanes = make({ window: 2 })
    fill(lanes, items(100, "a"))
    for (const answered of [true, true, false]) for (const one of takeAll(lanes)) lanes.done(one, answered)
    assert.strictEqual(takeAll(lanes).length, 2)
  })
  it("give an endpoint no more for answers that nothing waited for", () => {
    const lanes = make({ window: 2 })
    for (let nth = 0; nth < 10; nth++) {
      fill(lanes, items(1, "a"))
      for (const one of takeAll(lanes)) lanes.done(one, true)
    }
    fill(lanes, items(10, "a"))
    assert.strictEqual(takeAll(lanes).length, 2)
  })
  it("give nothing more while what is under way is large, until it ends", () => {
    const lanes = make({ characters: 12 })
    const waiting = Array.from({ length: 5 }, (_, nth) => item(`endpoint ${nth}`))
    fill(lanes, waiting)
    const taken = takeAll(lanes)
    assert.deepStrictEqual(taken, waiting.slice(0, 3))
    for (const one of taken.slice(0, 1)) lanes.done(one, true)
    assert.deepStrictEqual(takeAll(lanes), waiting.slice(3, 4))
  })
  it("give an endpoint whose payloads are large a quarter of what may be under way, and one at least", () => {
    const lanes = make({ characters: 32 })
    const large = { ...item("a"), tail: "x".repeat(16) }
    fill(lanes, [large, ...items(8, "a"), ...items(2, "b")])
    const taken = takeAll(lanes)
    assert.deepStrictEqual(
      taken.map(({ endpoint_id }) => endpoint_id),
      ["a", "b", "b"],
    )
    for (const one of taken.slice(0, 1)) lanes.done(one, true)
    assert.strictEqual(takeAll(lanes).length, 2)
  })
  it("give the next of an endpoint when one has ended", () => {
    const lanes = make()
    const waiting = items(9, "a")
    fill(lanes, waiting)
    for (const taken of takeAll(lanes).slice(0, 1)) lanes.done(taken, true)
    assert.deepStrictEqual(takeAll(lanes), waiting.slice(8))
  })
  it("give no more than all slots", () => {
    const lanes = make({ concurrency: 5 })
    fill(
      lanes,
      Array.from({ length: 10 }, (_, index) => item(`endpoint ${index}`)),
    )
    assert.strictEqual(takeAll(lanes).length, 5)
    assert.strictEqual(lanes.free, 0)
  })
  it("give one endpoint its cap while at least half of the slots are free, then less and less, and one at least", () => {
    const lanes = make()
    const had: Array<number> = []
    for (let endpoint = 0; endpoint < 20; endpoint++) {
      fill(lanes, items(10, `endpoint ${endpoint}`))
      had.push(takeAll(lanes).length)
    }
    assert.deepStrictEqual(had, [8, 8, 8, 8, 6, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 0, 0])
  })
  it("come to leave slots for others, however many endpoints hold on to theirs for long", () => {
    const lanes = make()
    for (let dead = 0; dead < 30; dead++) fill(lanes, items(10, `dead ${dead}`))
    let under_way = takeAll(lanes)
    for (let ended = 0; ended < 100; ended++) {
      for (const oldest of under_way.slice(0, 1)) lanes.done(oldest, true)
      under_way = [...under_way.slice(1), ...takeAll(lanes)]
    }
    fill(lanes, items(1, "healthy"))
    assert.strictEqual(lanes.take()?.endpoint_id, "healthy")
  })
  it("give an endpoint more as soon as others have ended, though its own go on", () => {
    const lanes = make()
    for (let other = 0; other < 8; other++) fill(lanes, items(10, `other ${other}`))
    const others = takeAll(lanes)
    while (lanes.free > 1) {
      fill(lanes, [item(`last ${lanes.free}`)])
      others.push(...takeAll(lanes))
    }
    fill(lanes, items(10, "a"))
    const own = takeAll(lanes).filter(({ endpoint_id }) => endpoint_id === "a")
    assert.strictEqual(own.length, 1)
    for (const other of others) {
      lanes.clear(other.lane)
      lanes.done(other, true)
    }
    assert.strictEqual(takeAll(lanes).length, 7)
  })
  it("keep endpoints of two accounts apart, though they have the same id", () => {
    const lanes = make()
    const [mine, theirs] = [item("a", 1, "mine"), items(20, "a")]
    fill(lanes, [...theirs, mine])
    assert.deepStrictEqual(takeAll(lanes), [theirs[0], mine, ...theirs.slice(1, 8)])
    assert.deepStrictEqual(lanes.loaded(2), [{ account_id: "account", endpoint_id: "a" }])
    assert.strictEqual(lanes.clear(lane("a")).length, 12)
  })
  it("give first attempts before retries, and a retry now and then", () => {
    const lanes = make()
    fill(lanes, [...items(8, "a", 2), ...items(8, "b", 1), ...items(8, "c", 1)])
    assert.deepStrictEqual(
      takeAll(lanes)
        .slice(0, 10)
        .map(({ attempt }) => attempt),
      [1, 1, 1, 1, 2, 1, 1, 1, 1, 2],
    )
  })
  it("keep slots that retries cannot have", () => {
    const lanes = make()
    for (let endpoint = 0; endpoint < 100; endpoint++) fill(lanes, [item(`endpoint ${endpoint}`, 2)])
    assert.strictEqual(takeAll(lanes).length, 48)
    fill(lanes, [item("new")])
    assert.strictEqual(takeAll(lanes).length, 1)
  })
  it("refuse what one endpoint has waiting beyond half of the room that is left", () => {
    const lanes = make()
    assert.strictEqual(fill(lanes, items(1_000, "a")).filter(Boolean).length, 171)
    assert.isTrue(lanes.add(item("b")))
  })
  it("know the load of an endpoint, under way and waiting", () => {
    const lanes = make()
    fill(lanes, [...items(9, "a"), ...items(2, "b")])
    takeAll(lanes)
    assert.deepStrictEqual([lanes.load(lane("a")), lanes.load(lane("b")), lanes.load(lane("c"))], [9, 2, 0])
    assert.deepStrictEqual(lanes.loaded(3), [{ account_id: "account", endpoint_id: "a" }])
  })
  it("give up what waits at the front and is stale", () => {
    const lanes = make()
    const waiting = items(3, "a")
    const [stale, fresh, behind] = waiting
    fill(lanes, waiting)
    assert.deepStrictEqual(
      lanes.sweep((one) => one !== fresh),
      [stale],
    )
    assert.deepStrictEqual(takeAll(lanes), [fresh, behind])
  })
})

/** A history: deliveries of some endpoints come, start, end in any order, and are swept. */
const History = Schema.Array(
  Schema.Struct({
    what: Schema.Literals(["add", "add", "add retry", "take", "take", "done", "sweep"]),
    which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  }),
)

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
    const added = item(`endpoint ${which}`, what === "add retry" ? 2 : 1)
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
    assert.deepStrictEqual(ended.lanes.loaded(0), [])
  })
  it.prop("leave no first attempt waiting while its endpoint may have more under way", [History], ([history]) => {
    const firsts = history.map((step) => (step.what === "add retry" ? { ...step, what: "add" as const } : step))
    const { lanes, under_way } = run(firsts, () => {})
    const each = Map.groupBy([...under_way, ...takeAll(lanes)], (one) => one.lane)
    for (const name of lanes.free === 0 ? [] : lanes.loaded(1).map(Lane.nameOf)) {
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
