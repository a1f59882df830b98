import { assert, describe, it } from "@effect/vitest"
import { PrintArea, Product, WebhookEndpoint } from "@tc/domain"
import { Effect, Schema } from "effect"
import { fieldErrors } from "../../src/http/Issues.ts"

/** What is said of a value that a schema refuses, by field. */
const errorsOf = (schema: Schema.Codec<unknown, unknown>, value: unknown) => {
  const { issue } = Effect.runSync(Effect.flip(Schema.decodeUnknownEffect(schema, { errors: "all" })(value)))
  return Object.fromEntries(fieldErrors(issue).map(({ path, message }) => [path, message]))
}

const endpoint = (events: unknown) => errorsOf(WebhookEndpoint.resource.create, { url: "https://example.com", events })

describe("the entries of a refused body", () => {
  it("name every wrong field once, by its JSON pointer", () =>
    assert.deepStrictEqual(
      errorsOf(PrintArea.resource.create, { name: "", height_px: 1.5, bounds: { x: 1, y: "2" } }),
      {
        "/name": "must be at least 1 character",
        "/width_px": "is required",
        "/height_px": "must be an integer",
        "/bounds/y": "must be a number",
        "/bounds/width": "is required",
        "/bounds/height": "is required",
      },
    ))

  it("say what a field takes in words", () =>
    assert.deepStrictEqual(
      errorsOf(Product.resource.create, {
        name: 5,
        store_id: "x",
        customizable: "yes",
        variants: {},
        base_image_url: "ftp://x",
      }),
      {
        "/name": "must be a string",
        "/store_id": "must be a UUID",
        "/customizable": "must be a boolean or null",
        "/variants": "must be an array or null",
        "/base_image_url": "must be an absolute http or https URL",
      },
    ))

  it("point to the whole body where that is no object", () => {
    for (const body of [[], null, "text", 1]) {
      assert.deepStrictEqual(errorsOf(Product.resource.create, body), { "": "must be a JSON object" })
    }
  })

  it("point to the wrong name in a list of events", () =>
    assert.deepStrictEqual(endpoint(["design.created", "nope"]), { "/events/1": "must be the name of an event" }))

  it("say what a list of events may be where it is none", () => {
    for (const events of ["design.created", 5, null, {}]) {
      assert.deepStrictEqual(endpoint(events), { "/events": 'must be a list of event names, or "*"' })
    }
    assert.deepStrictEqual(endpoint(["*", "design.created"]), { "/events": 'must be a list of event names, or "*"' })
    assert.deepStrictEqual(endpoint([]), { "/events": "must be at least one event" })
  })

  it("are at most 100", () => {
    const errors = errorsOf(
      Schema.Array(Schema.String),
      Array.from({ length: 1_000 }, () => 5),
    )
    assert.strictEqual(Object.keys(errors).length, 100)
  })

  it("are one for a list of events that is too long, whatever is in it", () =>
    assert.deepStrictEqual(endpoint(Array.from({ length: 1_000 }, () => "nope")), {
      "/events": "must be at most 42 events",
    }))

  it("escape what JSON pointers give a meaning", () => {
    const schema = Schema.Struct({ "a/b~c": Schema.String })
    assert.deepStrictEqual(errorsOf(schema, {}), { "/a~1b~0c": "is required" })
  })
})
