import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Json, Value } from "../src/index.ts"
import { wrong } from "./Wrong.ts"

/** Arrays inside each other, the innermost empty. */
const arrays = (levels: number): unknown => {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

/** Objects inside each other, the innermost empty. */
const objects = (levels: number): unknown => {
  let value: unknown = {}
  for (let level = 1; level < levels; level++) value = { a: value }
  return value
}

describe("values", () => {
  it("takes what JSON has", () => {
    for (const value of [null, true, "", 0, -1.5e300, [], {}]) assert.isUndefined(Json.problem([value]))
  })
  it("refuses what JSON would drop or change", () => {
    for (const value of [undefined, 1n, Symbol("a"), () => 1, NaN, Infinity]) assert.isDefined(Json.problem([value]))
  })
})

describe("nesting", () => {
  it("takes arrays 100 levels deep", () => assert.isUndefined(Json.problem(arrays(100))))
  it("takes objects 100 levels deep", () => assert.isUndefined(Json.problem(objects(100))))
  it("refuses arrays 101 levels deep", () => assert.isDefined(Json.problem(arrays(101))))
  it("refuses objects 101 levels deep", () => assert.isDefined(Json.problem(objects(101))))
  it("counts a field's own object as the first level", () =>
    assert.deepStrictEqual(
      [99, 100].map((levels) => wrong(Value.JsonObject, { a: arrays(levels) }).length),
      [0, 1],
    ))
  it("does not count siblings", () => assert.isUndefined(Json.problem(Array.from({ length: 1_000 }, () => arrays(99)))))
  it("finds depth behind shallow siblings", () => assert.isDefined(Json.problem({ a: {}, b: [1, arrays(100)] })))
  it("refuses 1,000,000 levels and keeps its stack", () => {
    assert.isDefined(Json.problem(arrays(1_000_000)))
    assert.isDefined(Json.problem(objects(1_000_000)))
  })
  it("reports 1,000,000 levels where a plain value belongs, and keeps its stack", () => {
    assert.deepStrictEqual(wrong(Schema.Struct({ name: Value.Name }), { name: objects(1_000_000) }), ["/name"])
  })
})

describe("numbers", () => {
  it("takes the largest double", () => assert.isUndefined(Json.problem([Number.MAX_VALUE])))
  it("refuses infinity, which JSON cannot write", () => assert.isDefined(Json.problem({ a: [{ b: -Infinity }] })))
  it("refuses NaN, which JSON cannot write", () => assert.isDefined(Json.problem(Number.NaN)))
})

const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const reversed = (value: unknown): unknown => {
  if (Json.isArray(value)) return value.map(reversed)
  if (!Json.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

/** Values so small that two of them are often the same. */
const Leaf = Schema.NullOr(Schema.Literals([0, 1, "0", "", true]))
const Small = Schema.Union([
  Leaf,
  Schema.Array(Leaf).check(Schema.isMaxLength(2)),
  Schema.Struct({ a: Schema.optionalKey(Leaf), b: Schema.optionalKey(Schema.Union([Leaf, Schema.Tuple([Leaf])])) }),
])

/** Often enough for many pairs that are the same. */
const often = { arbitrary: { runs: 2_000 } }

describe("equality", () => {
  it.prop("holds between a value and its copy", [Value.JsonObject], ([value]) =>
    assert.isTrue(Json.equals(parsed(value), parsed(value))),
  )
  it.prop("does not look at the order of keys", [Value.JsonObject], ([value]) =>
    assert.isTrue(Json.equals(parsed(value), reversed(parsed(value)))),
  )
  it.prop(
    "says what Node's own comparison says",
    [Small, Small],
    ([left, right]) => assert.strictEqual(Json.equals(left, right), isDeepStrictEqual(left, right)),
    often,
  )
  it.prop(
    "is the same both ways",
    [Small, Small],
    ([left, right]) => assert.strictEqual(Json.equals(left, right), Json.equals(right, left)),
    often,
  )
  it.prop(
    "passes on",
    [Small, Small, Small],
    ([first, second, third]) => {
      if (Json.equals(first, second) && Json.equals(second, third)) assert.isTrue(Json.equals(first, third))
    },
    often,
  )
  it("does look at the order of items", () => assert.isFalse(Json.equals([1, 2], [2, 1])))
  it("tells a missing key from null", () => assert.isFalse(Json.equals({ a: null }, {})))
  it("tells an array from an object with the same keys", () => assert.isFalse(Json.equals(["a"], { "0": "a" })))
  it("tells a number from its text", () => assert.isFalse(Json.equals(1, "1")))
  it("does not take what every object inherits for a key", () =>
    assert.isFalse(Json.equals(JSON.parse('{"__proto__":{}}'), { a: {} })))
})
