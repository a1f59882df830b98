import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Asset, Design, Event, PrintArea, Product, Resource, Sample, Store, Template } from "../src/index.ts"
import { Value } from "../src/index.ts"

/** The catalogue as the contract has it. */
const catalogue = [
  "store.created",
  "store.updated",
  "store.deleted",
  "store.connected",
  "store.disconnected",
  "store.synced",
  "store.sync_failed",
  "store.customizer_enabled",
  "store.customizer_disabled",
  "product.created",
  "product.updated",
  "product.deleted",
  "print_area.created",
  "print_area.updated",
  "print_area.deleted",
  "template.created",
  "template.updated",
  "template.deleted",
  "design.created",
  "design.updated",
  "design.finalized",
  "design.cart_added",
  "design.shared",
  "design.deleted",
  "asset.created",
  "asset.updated",
  "asset.deleted",
  "font.created",
  "font.updated",
  "font.deleted",
  "bulk_order.created",
  "bulk_order.updated",
  "bulk_order.completed",
  "print_file.generated",
  "mockup.generated",
  "pricing_rule.created",
  "pricing_rule.updated",
  "pricing_rule.deleted",
  "printing_method.created",
  "printing_method.updated",
  "printing_method.deleted",
  "webhook_endpoint.disabled",
]

describe("the catalogue", () => {
  it("has 42 events, in order", () => assert.deepStrictEqual([...Event.all], catalogue))
  it("says what each of them carries, and nothing of others", () =>
    assert.sameMembers(Object.keys(Event.data), catalogue))
  it("says of each when it is raised, in a sentence", () => {
    for (const name of Event.all) assert.match(Event.descriptions[name], /^[A-Z].*\.$/)
  })
  it("takes its own names and no other", () => {
    assert.isTrue(Event.all.every(Schema.is(Event.EventName)))
    assert.isFalse(Schema.is(Event.EventName)("design.finalised"))
  })
  it("has every event that a change of a record can raise", () => {
    const raised = (["created", "updated", "deleted"] as const).flatMap((verb) =>
      [
        Resource.raise(Store.resource, verb, Sample.store),
        Resource.raise(Product.resource, verb, Sample.product),
        Resource.raise(PrintArea.resource, verb, Sample.print_area),
        Resource.raise(Template.resource, verb, Sample.template),
        Resource.raise(Design.resource, verb, Sample.design),
        Resource.raise(Asset.resource, verb, Sample.asset),
        Resource.raise(Asset.resource, verb, Sample.font),
      ].flatMap((told) => told.map(({ event }) => event)),
    )
    assert.strictEqual(new Set(raised).size, 21)
    assert.includeMembers(catalogue, raised)
  })
})

const id = "019a3f5e-7c10-7d42-9b6e-5f21c08a4eff"
const account_id = Sample.store.account_id
const occurred_at = "2026-11-21T12:00:00.000Z"
const bodyOf = (event: Event.EventName, data: { readonly [key: string]: unknown }) =>
  Event.body(id, Event.tail({ event, data }, account_id, occurred_at))

describe("the version of the payloads", () => {
  it("is a year and a month", () => assert.match(Event.API_VERSION, /^\d{4}-(0[1-9]|1[0-2])$/))
})

describe("the body of a delivery", () => {
  for (const name of Event.all) {
    const data = Sample.of(name)
    const text = bodyOf(name, { ...data })
    it(`of ${name} is the envelope, its keys in order`, () => {
      assert.deepStrictEqual(JSON.parse(text), {
        id,
        event: name,
        account_id,
        occurred_at,
        api_version: Event.API_VERSION,
        data,
      })
      assert.deepStrictEqual(Object.keys(JSON.parse(text)), [
        "id",
        "event",
        "account_id",
        "occurred_at",
        "api_version",
        "data",
      ])
    })
    it(`of ${name} is read by the schema of its envelope without loss`, () =>
      assert.deepStrictEqual(
        Schema.decodeUnknownSync(Schema.fromJsonString(Event.envelope(name)))(text),
        JSON.parse(text),
      ))
  }
  it("has no spaces and no line breaks of its own", () =>
    assert.strictEqual(
      bodyOf("design.created", { a: [1] }),
      `{"id":"${id}","event":"design.created","account_id":"${account_id}","occurred_at":"${occurred_at}",` +
        `"api_version":"${Event.API_VERSION}","data":{"a":[1]}}`,
    ))
  it("differs from that of another delivery in its id alone", () => {
    const tail = Event.tail({ event: "design.created", data: Sample.design }, account_id, occurred_at)
    assert.strictEqual(Event.body("a", tail).replace('"a"', '"b"'), Event.body("b", tail))
  })
  it.prop("is the envelope whatever the data holds", [Value.JsonObject], ([data]) =>
    assert.strictEqual(
      bodyOf("design.created", data),
      JSON.stringify({ id, event: "design.created", account_id, occurred_at, api_version: Event.API_VERSION, data }),
    ),
  )
  it("is refused by the envelope of another event", () =>
    assert.isFalse(Schema.is(Event.envelope("design.updated"))(JSON.parse(bodyOf("design.created", Sample.design)))))
})
