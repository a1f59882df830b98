/** What is found in canvas data, how much work it is, and what is left of it before it is drawn. */
import { assert, describe, it } from "vitest"
import { clean } from "../src/catalogue/canvas/Clean.ts"
import { ASKED, costOf, MOST } from "../src/catalogue/canvas/Cost.ts"
import { surfacesOf } from "../src/catalogue/canvas/Surfaces.ts"

const known = ["rect", "image", "group", "textbox"]
const types = {
  has: (type: unknown) => known.includes(String(type).toLowerCase()),
  isMethod: (_: unknown, name: string) => name === "render",
}
const rect = { type: "Rect", left: 1, top: 2, width: 3, height: 4 }

const many = (count: number) => ({ objects: Array.from({ length: count }, () => rect) })

describe("canvas data", () => {
  it("is one canvas, or one for each key, or none", () => {
    const canvas = { version: "7.4.0", objects: [rect] }
    assert.deepStrictEqual(surfacesOf(canvas), [{ key: null, canvas }])
    assert.deepStrictEqual(surfacesOf({ front: canvas, note: "none", back: { objects: "none" } }), [
      { key: "front", canvas },
    ])
    assert.deepStrictEqual(surfacesOf({}), [])
  })

  it("is drawn at once when it is small, when somebody asks when it is large, and not at all beyond that", () => {
    assert.isBelow(costOf(many(500)), ASKED)
    assert.isAbove(costOf(many(2_000)), ASKED)
    assert.isAbove(costOf(many(30_000)), MOST)
    assert.isAbove(costOf({ objects: [{ type: "Textbox", text: "x".repeat(100_000) }] }), ASKED)
    assert.isAbove(costOf({ objects: Array.from({ length: 100 }, () => ({ ...rect, clipPath: rect })) }), ASKED)
    assert.isBelow(costOf({ objects: [{ type: "Image", src: `data:image/png;base64,${"A".repeat(2e6)}` }] }), ASKED)
  })
})

describe("a canvas before it is drawn", () => {
  it("has grey fields for pictures from elsewhere, wherever they stand, and says how many", () => {
    const src = "https://tracker.example/a.png"
    const picture = { ...rect, type: "image", src }
    const { canvas, missing } = clean(
      {
        version: "7.4.0",
        objects: [
          picture,
          { type: "Group", objects: [{ ...picture, src: "javascript:alert(1)" }] },
          { ...rect, fill: { type: "pattern", source: src } },
          { ...rect, clipPath: picture },
          {
            ...picture,
            src: "data:image/png;base64,AA",
            filters: [{ type: "BlendImage", image: picture }, { type: "Sepia" }],
          },
        ],
        backgroundImage: { ...picture, src: "/dashboard/api/v1/session" },
      },
      types,
    )
    assert.strictEqual(missing, 5)
    const text = JSON.stringify(canvas)
    assert.notMatch(text, /tracker|javascript|session/)
    assert.include(text, "data:image/png")
    assert.deepInclude(canvas.objects[4], { filters: [{ type: "Sepia" }] })
    assert.deepInclude(canvas.objects[0], { type: "Rect", left: 1, top: 2, width: 3, height: 4 })
  })

  it("has grey fields for pictures of its own that are refused, and only for those", () => {
    const [small, bomb] = ["data:image/png;base64,AA", "data:image/png;base64,BB"]
    const picture = { ...rect, type: "image" }
    const { canvas, missing } = clean(
      {
        version: "7.4.0",
        objects: [
          { ...picture, src: small },
          { ...picture, src: bomb },
          { ...rect, fill: { type: "pattern", source: bomb } },
        ],
      },
      types,
      new Set([bomb]),
    )
    assert.strictEqual(missing, 2)
    assert.include(JSON.stringify(canvas), small)
    assert.notInclude(JSON.stringify(canvas), bomb)
  })

  it("has numbers of a sensible size, no methods, and nothing that the page says itself", () => {
    const { canvas } = clean(
      {
        version: "7.4.0",
        width: 1e9,
        renderOnAddRemove: true,
        objects: [{ ...rect, width: 1e300, shadow: { blur: 1e9 }, render: "no", canvas: {}, _set: 1 }],
      },
      types,
    )
    assert.deepStrictEqual(canvas, { objects: [{ ...rect, width: 1e7, shadow: { blur: 500 } }] })
  })

  it("has only objects that Fabric knows, wherever they stand, and says how many others there were", () => {
    const { canvas, unknown } = clean(
      {
        version: "7.4.0",
        objects: [
          null,
          7,
          { type: "Nonsense" },
          { type: {} },
          { type: "Group", objects: [rect, "x"], clipPath: { type: "?" } },
        ],
        overlayImage: "x",
      },
      types,
    )
    assert.strictEqual(unknown, 6)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(canvas)), { objects: [{ type: "Group", objects: [rect] }] })
  })

  it("of an older version is held by the upper left corner of its shapes", () => {
    const old = clean({ version: "5.3.0", objects: [{ type: "group", objects: [rect] }] }, types).canvas
    assert.deepInclude(old.objects[0], { originX: "left", objects: [{ originX: "left", originY: "top", ...rect }] })
    const said = clean({ objects: [{ ...rect, originX: "center" }] }, types).canvas
    assert.deepInclude(said.objects[0], { originX: "center", originY: "top" })
    assert.notProperty(clean({ version: "7.4.0", objects: [rect] }, types).canvas.objects[0], "originX")
  })
})
