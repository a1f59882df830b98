import { assert, describe, it } from "@effect/vitest"
import { Errors as Wire, OpenApi } from "@tc/api"
import { Schema, SchemaRepresentation } from "effect"

/** JSON of any shape: it is for assertions to look at. */
type Json = ReturnType<typeof JSON.parse>

const { components }: Json = JSON.parse(
  JSON.stringify(OpenApi.document()).replaceAll("#/components/schemas/", "#/$defs/"),
)
const names = Object.keys(components.schemas)
const exampleOf = (name: string): Json => components.schemas[name].examples[0]

/** Whether a component takes a value, by what the document says of it alone. */
const takes = (name: string) => {
  const schema = { $ref: `#/$defs/${name}` }
  const parsed = SchemaRepresentation.fromJsonSchemaDocument(
    { dialect: "draft-2020-12", schema, definitions: components.schemas },
    { patterns: "apply" },
  )
  return Schema.is(parsed)
}

/** Every value under a key, however deep. */
const under = (value: Json, key: string): ReadonlyArray<Json> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, item]) => (name === key ? [item] : under(item, key)))

describe("the examples of the document", () => {
  it("are one for every component, and its schema takes it", () => {
    for (const name of names) {
      assert.lengthOf(components.schemas[name].examples ?? [], 1, name)
      assert.isTrue(takes(name)(exampleOf(name)), name)
    }
  })

  it("lack nothing that is required: without it their schema refuses them", () => {
    for (const name of names) {
      for (const field of components.schemas[name].required ?? []) {
        const { [field]: _, ...rest } = exampleOf(name)
        assert.isFalse(takes(name)(rest), `${name} without ${field}`)
      }
    }
  })

  it("show a field at least", () => {
    for (const name of names.filter((name) => components.schemas[name].type === "object")) {
      assert.isNotEmpty(Object.keys(exampleOf(name)), name)
    }
  })

  it("show a record on every page", () => {
    for (const name of names.filter((name) => name.endsWith("Page"))) {
      const { data, meta } = exampleOf(name)
      assert.deepStrictEqual(data, [exampleOf(name.slice(0, -"Page".length))])
      assert.strictEqual(meta.total, data.length)
    }
  })

  it("tell the ids of an event, its delivery, its record and a request apart", () => {
    const { event_id, id, endpoint_id, account_id } = exampleOf("DeliveryDetail")
    const { request_id } = exampleOf("NotFound")
    const ids = [event_id, id, endpoint_id, account_id, request_id, exampleOf("Design").id]
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.strictEqual(exampleOf("Event").id, event_id)
    assert.strictEqual(exampleOf("DesignFinalizedEvent").id, id)
  })

  it("of errors each say something of their own", () => {
    const failures = names.filter((name) => "request_id" in (components.schemas[name].properties ?? {}))
    const messages = failures.map((name) => exampleOf(name).message)
    assert.strictEqual(new Set(messages).size, Wire.all.length - 1) // a method that is not allowed is no operation's
    for (const message of messages) assert.match(message, /^[A-Z].*\.$/)
  })

  it("refer to the design that is shown", () => {
    const designs = new Set(names.flatMap((name) => under(exampleOf(name), "design_id")))
    assert.deepStrictEqual([...designs], [exampleOf("Design").id])
  })
})
