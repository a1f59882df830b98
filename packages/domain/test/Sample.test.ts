import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Event, Sample } from "../src/index.ts"

describe("the sample", () => {
  for (const name of Event.all) {
    const sample = Sample.of(name)
    it(`of ${name} is read by its schema without loss`, () =>
      assert.deepStrictEqual<unknown>(
        Schema.decodeUnknownSync(Event.data[name] as Schema.Codec<unknown>)(sample),
        sample,
      ))
    it(`of ${name} is the same after JSON`, () =>
      assert.deepStrictEqual<unknown>(JSON.parse(JSON.stringify(sample)), sample))
  }
  it("was not changed before it was made", () => {
    const times = Event.all.map(Sample.of).flatMap((sample) => ("updated_at" in sample ? [sample] : []))
    assert.isAbove(times.length, 30)
    for (const { created_at, updated_at } of times) assert.isTrue(updated_at >= created_at)
  })
})

describe("the samples of designs", () => {
  it("follow one life", () =>
    assert.deepStrictEqual(
      (["created", "updated", "finalized", "cart_added", "deleted"] as const).map((verb) => {
        const { status, cart_locked } = Sample.of(`design.${verb}`)
        return [verb, status, cart_locked]
      }),
      [
        ["created", "draft", false],
        ["updated", "draft", false],
        ["finalized", "finalized", false],
        ["cart_added", "finalized", true],
        ["deleted", "finalized", false],
      ],
    ))
  it("key their canvas by print area", () =>
    assert.deepStrictEqual(Object.keys(Sample.of("design.finalized").canvas_data), [Sample.print_area.id]))
})

describe("the other samples", () => {
  it("of font events are fonts", () =>
    assert.deepStrictEqual(
      (["created", "updated", "deleted"] as const).map((verb) => Sample.of(`font.${verb}`).asset_type),
      ["font", "font", "font"],
    ))
  it("of asset events are not", () =>
    assert.isTrue(
      (["created", "updated", "deleted"] as const).every((verb) => Sample.of(`asset.${verb}`).asset_type !== "font"),
    ))
  it("of a store's connection say how it stands", () =>
    assert.deepStrictEqual(
      (["created", "connected", "disconnected", "sync_failed"] as const).map(
        (what) => Sample.of(`store.${what}`).connection_status,
      ),
      ["pending", "connected", "pending", "error"],
    ))
  it("of a completed bulk order add up", () => {
    const { items, total_quantity, status } = Sample.of("bulk_order.completed")
    assert.strictEqual(
      items.reduce((sum, { quantity }) => sum + quantity, 0),
      total_quantity,
    )
    assert.strictEqual(status, "completed")
  })
  it("of a disabled endpoint have five failures", () => {
    const { status, consecutive_failures, disabled_at } = Sample.of("webhook_endpoint.disabled")
    assert.deepStrictEqual([status, consecutive_failures], ["auto-disabled", 5])
    assert.isNotNull(disabled_at)
  })
  it("have ids of their own", () => {
    const ids = Object.values(Sample).flatMap((record) => (typeof record === "object" ? [record.id] : []))
    assert.strictEqual(new Set<string>(ids).size, 13)
    assert.lengthOf(ids, 13)
  })
})
