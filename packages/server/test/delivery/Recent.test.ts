import { assert, describe, it } from "@effect/vitest"
import { Recent } from "../../src/Recent.ts"

describe("what was looked up lately", () => {
  it("is found again under its name, as it was kept last", () => {
    const recent = new Recent<number>(4)
    recent.set("a", 1)
    recent.set("a", 2)
    assert.deepStrictEqual([recent.get("a"), recent.get("b")], [2, undefined])
  })

  it("is never more than it may be, and what was kept long ago is gone", () => {
    const recent = new Recent<number>(10)
    const names = Array.from({ length: 100 }, (_, n) => `${n}`)
    names.forEach((name, n) => recent.set(name, n))
    assert.isAtMost(names.filter((name) => recent.get(name) !== undefined).length, 10)
    assert.isUndefined(recent.get("50"))
    assert.strictEqual(recent.get("99"), 99)
  })

  it("stays as long as it is used, whatever else comes", () => {
    const recent = new Recent<number>(10)
    recent.set("used", 1)
    for (let n = 0; n < 100; n++) {
      recent.set(`${n}`, n)
      assert.strictEqual(recent.get("used"), 1)
    }
  })

  it("has room for half of it at least", () => {
    const recent = new Recent<number>(10)
    for (let n = 0; n < 103; n++) recent.set(`${n}`, n)
    for (let n = 98; n < 103; n++) assert.strictEqual(recent.get(`${n}`), n)
  })
})
