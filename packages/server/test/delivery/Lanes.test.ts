/** Whose turn it is. */
import { assert, describe, it } from "@effect/vitest"
import { fill, item, items, lane, make, takeAll } from "./Trial.ts"

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
  it("give those that were held back their turn again, retries and first attempts alike, when slots fall free", () => {
    const lanes = make()
    for (let other = 0; other < 30; other++)
      fill(lanes, [...items(5, `other ${other}`, 1), ...items(5, `other ${other}`, 2)])
    let ended = 0
    for (let under_way = takeAll(lanes); under_way.length > 0; under_way = [...under_way.slice(1), ...takeAll(lanes)]) {
      for (const oldest of under_way.slice(0, 1)) lanes.done(oldest, true)
      ended += 1
    }
    assert.deepStrictEqual([ended, lanes.size, lanes.waiting], [300, 0, 0])
  })
  it("keep endpoints of two accounts apart, though they have the same id", () => {
    const lanes = make()
    const [mine, theirs] = [item("a", 1, "mine"), items(20, "a")]
    fill(lanes, [...theirs, mine])
    assert.deepStrictEqual(takeAll(lanes), [theirs[0], mine, ...theirs.slice(1, 8)])
    assert.deepStrictEqual(lanes.supplied, [{ account_id: "account", endpoint_id: "a" }])
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
    assert.deepStrictEqual(
      [lanes.isShort(lane("a")), lanes.isShort(lane("b")), lanes.isShort(lane("c"))],
      [false, true, true],
    )
  })
  it("need less for an endpoint that has not answered, or does not any more", () => {
    const lanes = make({ window: 2 })
    const endpoint = { account_id: "account", endpoint_id: "a" }
    fill(lanes, items(3, "a"))
    const taken = takeAll(lanes)
    assert.deepStrictEqual([lanes.supplied, lanes.isShort(lane("a"))], [[endpoint], false])
    for (const one of taken.slice(0, 1)) lanes.done(one, true)
    assert.deepStrictEqual([lanes.supplied, lanes.isShort(lane("a"))], [[], true])
    takeAll(lanes)
    for (const other of taken.slice(1)) lanes.done(other, false)
    assert.deepStrictEqual(lanes.supplied, [])
    fill(lanes, items(1, "a"))
    assert.deepStrictEqual(lanes.supplied, [endpoint])
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
