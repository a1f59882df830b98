import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Errors } from "../src/index.ts"

const wire = (schema: Schema.Codec<unknown, unknown>, error: unknown): unknown =>
  Schema.encodeUnknownSync(schema)(error)

describe("the wire form of an error", () => {
  it("of a missing record", () =>
    assert.deepStrictEqual(wire(Errors.NotFound, Errors.notFound("print_area", "x")), {
      error: "Not Found",
      code: "not_found",
      message: "There is no print area x in this account.",
    }))
  it("of a conflict", () =>
    assert.deepStrictEqual(wire(Errors.Conflict, new Errors.Conflict({ code: "id_taken", message: "Taken." })), {
      error: "Conflict",
      code: "id_taken",
      message: "Taken.",
    }))
  it("of a wrong request", () =>
    assert.deepStrictEqual(wire(Errors.Invalid, Errors.missingReference("store_id", "store")), {
      error: "Unprocessable Entity",
      code: "validation_failed",
      message: "The request has 1 wrong field: /store_id names no store of this account.",
      errors: [{ path: "/store_id", message: "names no store of this account" }],
    }))
})

const wrong = (count: number) =>
  Errors.invalid(Array.from({ length: count }, (_, index) => ({ path: `/f${index}`, message: "is wrong" })))

describe("the message of a wrong request", () => {
  it("names every wrong field", () =>
    assert.strictEqual(wrong(2).message, "The request has 2 wrong fields: /f0 is wrong; /f1 is wrong."))
  it("calls the whole body the body", () =>
    assert.include(Errors.invalid([{ path: "", message: "must be an object" }]).message, "the body must be an object"))
  it("stays short when there are very many, which `errors` still has", () => {
    assert.isBelow(wrong(1_000).message.length, 600)
    assert.strictEqual(wrong(1_000).errors.length, 1_000)
  })
})
