import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Page } from "../src/index.ts"
import { wrong } from "./Wrong.ts"

const Query = Schema.Struct(Page.Query)
const decode = Schema.decodeUnknownSync(Query)

describe("the query of a list", () => {
  it("is page 1 of 20 when nothing is asked", () => assert.deepStrictEqual(decode({}), { page: 1, per_page: 20 }))
  it("takes a page and its size", () =>
    assert.deepStrictEqual(decode({ page: "7", per_page: "50" }), { page: 7, per_page: 50 }))
  it("takes 100 records on a page", () => assert.strictEqual(decode({ per_page: "100" }).per_page, 100))
  for (const more of ["101", "1000", "999999999999999"])
    it(`serves ${more} records on a page as 100`, () => assert.strictEqual(decode({ per_page: more }).per_page, 100))
  it("takes the last page", () => assert.strictEqual(decode({ page: "1000000000" }).page, 1_000_000_000))
  it("refuses a page after the last", () => assert.deepStrictEqual(wrong(Query, { page: "1000000001" }), ["/page"]))
  it("takes a search", () => assert.strictEqual(decode({ q: "100%_a" }).q, "100%_a"))
  it("takes a search for nothing", () => assert.strictEqual(decode({ q: "" }).q, ""))
  it("refuses a search of 256 characters", () => assert.deepStrictEqual(wrong(Query, { q: "a".repeat(256) }), ["/q"]))

  for (const text of ["0", "-1", "1.5", "", "abc", "1e3", "٣", " 1", "1 ", "+1", "0x10", "Infinity", "NaN"]) {
    it(`refuses "${text}" for page`, () => assert.deepStrictEqual(wrong(Query, { page: text }), ["/page"]))
    it(`refuses "${text}" for per_page`, () => assert.deepStrictEqual(wrong(Query, { per_page: text }), ["/per_page"]))
  }
  it("reports all wrong parameters at once", () =>
    assert.sameMembers([...wrong(Query, { page: "0", per_page: "abc", q: "\u0000" })], ["/page", "/per_page", "/q"]))
})

const meta = (per_page: number, total: number) => Page.make({ page: 1, per_page }, [], total).meta

describe("a page", () => {
  it("says which it is, of how many", () =>
    assert.deepStrictEqual(Page.make({ page: 2, per_page: 20 }, ["a"], 21), {
      data: ["a"],
      meta: { page: 2, per_page: 20, total: 21, total_pages: 2 },
    }))
  it("has no pages when there are no records", () => assert.strictEqual(meta(20, 0).total_pages, 0))
  it("fills a page to its last record", () => assert.strictEqual(meta(20, 20).total_pages, 1))
  it("starts a page for one record more", () => assert.strictEqual(meta(20, 41).total_pages, 3))
})
