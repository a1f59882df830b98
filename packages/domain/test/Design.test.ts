import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Design, Event, Id, Sample } from "../src/index.ts"

const now = "2026-11-21T12:00:00.000Z"
const row = Schema.decodeSync(Design.resource.row)
const designs = {
  draft: row({ ...Sample.design, status: "draft", cart_locked: false }),
  finalized: row({ ...Sample.design, status: "finalized", cart_locked: false }),
  locked: row({ ...Sample.design, status: "finalized", cart_locked: true }),
}
const states = ["draft", "finalized", "locked"] as const

/** The lifecycle as the documents have it: where a command leads and the event it raises, or why it is refused. */
const table = {
  draft: {
    save: ["draft", "design.updated"],
    annotate: ["draft", "design.updated"],
    finalize: ["finalized", "design.finalized"],
    add_to_cart: "design_not_finalized",
    delete: ["deleted", "design.deleted"],
  },
  finalized: {
    save: "design_finalized",
    annotate: ["finalized", "design.updated"],
    finalize: ["finalized", null],
    add_to_cart: ["locked", "design.cart_added"],
    delete: ["deleted", "design.deleted"],
  },
  locked: {
    save: "design_locked",
    annotate: "design_locked",
    finalize: ["locked", null],
    add_to_cart: ["locked", null],
    delete: ["deleted", "design.deleted"],
  },
} as const

/** What became of a design, in the terms of the table. */
const outcome = (result: ReturnType<ReturnType<typeof Design.run>>): unknown =>
  Result.match(result, {
    onFailure: ({ code }) => code,
    onSuccess: ({ row, events }) => [
      Design.state(row),
      events.length === 0 ? null : events.map(({ event }) => event).join(),
    ],
  })

const names = (change: { readonly events: ReadonlyArray<{ readonly event: string }> }) =>
  change.events.map(({ event }) => event)

describe("the lifecycle", () => {
  for (const state of states) {
    for (const command of ["save", "annotate", "finalize", "add_to_cart"] as const) {
      const expected = table[state][command]
      it(`${state}, ${command}: ${[expected].flat().join(", ")}`, () =>
        assert.deepStrictEqual(outcome(Design.run(command)(designs[state], now)), expected))
    }
    it(`${state}, delete: deleted, design.deleted`, () => {
      const { to, event } = Design.lifecycle[state].delete
      assert.deepStrictEqual([to, event], [...table[state].delete])
    })
  }
  it("has no other states and commands", () => {
    assert.hasAllKeys(Design.lifecycle, [...states])
    for (const state of states) assert.hasAllKeys(Design.lifecycle[state], Object.keys(table[state]))
  })
  it("raises events of the catalogue only", () => {
    const raised = states.flatMap((state) =>
      Object.values(Design.lifecycle[state]).flatMap((to) => ("event" in to && to.event !== null ? [to.event] : [])),
    )
    assert.includeMembers([...Event.all], raised)
  })
  it.prop(
    "is never left, whatever happens, and finalizes and locks once at most",
    [Schema.Array(Schema.Literals(["save", "annotate", "finalize", "add_to_cart"])).check(Schema.isMaxLength(12))],
    ([happened]) => {
      let design: Design.Design = designs.draft
      const raised: Array<string> = []
      for (const command of happened) {
        const result = Design.run(command)(design, now)
        if (Result.isFailure(result)) continue
        design = result.success.row
        raised.push(...names(result.success))
        assert.include(states, Design.state(design))
        assert.isTrue(design.status === "finalized" || !design.cart_locked)
      }
      assert.isAtMost(raised.filter((event) => event === "design.finalized").length, 1)
      assert.isAtMost(raised.filter((event) => event === "design.cart_added").length, 1)
    },
  )
})

describe("a command", () => {
  it("takes its changes and the time over", () => {
    const { row } = Result.getOrThrow(Design.run("save", { canvas_data: { a: 1 } })(designs.draft, now))
    assert.deepStrictEqual(row, { ...designs.draft, canvas_data: { a: 1 }, updated_at: now })
  })
  it("raises its event with the record as it becomes", () => {
    const { row, events } = Result.getOrThrow(Design.finalize({ preview_url: "https://a.example" })(designs.draft, now))
    assert.deepStrictEqual(events, [{ event: "design.finalized", data: { ...row } }])
    assert.strictEqual(row.preview_url, "https://a.example")
  })
  it("that changes nothing gives the same row, and leaves what it carried", () => {
    const change = Result.getOrThrow(Design.finalize({ preview_url: "https://a.example" })(designs.finalized, now))
    assert.strictEqual(change.row, designs.finalized)
    assert.deepStrictEqual(change.events, [])
  })
})

const patched = (changes: Design.Patch, design: Design.Design) => Design.patch(changes)(design, now)

describe("a PATCH", () => {
  const { product_id, session_token, canvas_data, preview_url, metadata } = designs.draft
  const same = { product_id, session_token, canvas_data, preview_url, metadata }
  const closed = [
    ["product_id", { product_id: Schema.decodeSync(Id.ProductId.id)("019a3f5e-7c10-7d42-9b6e-5f21c08a4eff") }],
    ["session_token", { session_token: "another" }],
    ["canvas_data", { canvas_data: { a: 1 } }],
  ] as const
  const open = [
    ["preview_url", { preview_url: "https://a.example" }],
    ["metadata", { metadata: { quantity: 2 } }],
  ] as const

  for (const state of states) {
    it(`of a design that is ${state} changes nothing when it is empty`, () =>
      assert.strictEqual(Result.getOrThrow(patched({}, designs[state])).row, designs[state]))
    it(`of a design that is ${state} changes nothing when every field is as it was`, () => {
      const change = Result.getOrThrow(patched({ ...same, status: designs[state].status }, designs[state]))
      assert.strictEqual(change.row, designs[state])
      assert.deepStrictEqual(change.events, [])
    })
  }
  for (const [field, changes] of [...closed, ...open]) {
    it(`of a draft takes ${field}`, () => {
      const { row, events } = Result.getOrThrow(patched(changes, designs.draft))
      assert.deepStrictEqual(row, { ...designs.draft, ...changes, updated_at: now })
      assert.deepStrictEqual(events, [{ event: "design.updated", data: { ...row } }])
    })
    it(`of a locked design refuses ${field}`, () =>
      assert.strictEqual(outcome(patched(changes, designs.locked)), "design_locked"))
  }
  for (const [field, changes] of closed)
    it(`of a finalized design refuses ${field}`, () =>
      assert.strictEqual(outcome(patched(changes, designs.finalized)), "design_finalized"))
  for (const [field, changes] of open)
    it(`of a finalized design takes ${field}`, () => {
      const { row, events } = Result.getOrThrow(patched(changes, designs.finalized))
      assert.deepStrictEqual(row, { ...designs.finalized, ...changes, updated_at: now })
      assert.deepStrictEqual(events, [{ event: "design.updated", data: { ...row } }])
    })
  it("of a finalized design refuses an open field beside a closed one", () =>
    assert.strictEqual(
      outcome(patched({ metadata: {}, canvas_data: {}, session_token: "b" }, designs.finalized)),
      "design_finalized",
    ))
  it("of a finalized design does not count closed fields that stay as they were", () =>
    assert.deepStrictEqual(outcome(patched({ ...same, metadata: {} }, designs.finalized)), [
      "finalized",
      "design.updated",
    ]))
  it("of a finalized design refuses to make it a draft again", () =>
    assert.strictEqual(outcome(patched({ status: "draft" }, designs.finalized)), "design_finalized"))
  it("of a locked design refuses to make it a draft again", () =>
    assert.strictEqual(outcome(patched({ status: "draft" }, designs.locked)), "design_locked"))
})

describe("a PATCH with the status finalized", () => {
  const { row, events } = Result.getOrThrow(
    Design.patch({ status: "finalized", canvas_data: { a: 1 } })(designs.draft, now),
  )
  it("finalizes a draft with the changes in it", () =>
    assert.deepStrictEqual(row, { ...designs.draft, status: "finalized", canvas_data: { a: 1 }, updated_at: now }))
  it("raises design.updated with the draft, then design.finalized", () =>
    assert.deepStrictEqual(events, [
      { event: "design.updated", data: { ...row, status: "draft" } },
      { event: "design.finalized", data: { ...row } },
    ]))
  it("raises both when nothing else changes", () =>
    assert.deepStrictEqual(names(Result.getOrThrow(Design.patch({ status: "finalized" })(designs.draft, now))), [
      "design.updated",
      "design.finalized",
    ]))
  it("still takes an open field of a finalized design", () =>
    assert.deepStrictEqual(outcome(Design.patch({ status: "finalized", metadata: {} })(designs.finalized, now)), [
      "finalized",
      "design.updated",
    ]))
})

describe("a new design", () => {
  it("raises design.created", () =>
    assert.deepStrictEqual(Design.begun(designs.draft), {
      row: designs.draft,
      events: [{ event: "design.created", data: { ...designs.draft } }],
    }))
  it("that is finalized at once raises design.created as a draft, then design.finalized", () => {
    const { row, events } = Design.begun(designs.finalized)
    assert.deepStrictEqual(events, [
      { event: "design.created", data: { ...designs.draft } },
      { event: "design.finalized", data: { ...row } },
    ])
    assert.strictEqual(Design.state(row), "finalized")
  })
  it("that is finalized at once was last changed when it was made", () =>
    assert.strictEqual(Design.begun(designs.finalized).row.updated_at, designs.finalized.created_at))
})
