import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { brand, brandSignature, current, now, other, plain } from "./Vector.ts"
import { verifiers } from "./Verifiers.ts"

const options = { now: now * 1000 }
const bytes = new TextEncoder().encode(plain)
const throwing = (name: string) =>
  Object.defineProperty({}, name, { enumerable: true, get: () => assert.fail("a getter that throws") })
const post = (headers: Record<string, string>) =>
  new Request("https://example.com", { method: "POST", headers, body: plain })

describe.each(verifiers)("verify with %s", (_, verify) => {
  const reason = async (...input: readonly unknown[]) => {
    const result = await Reflect.apply(verify, undefined, [...input, options].slice(0, 3))
    return result.ok ? "accepted" : result.reason
  }

  describe("refuses and does not throw", () => {
    const used = post(brand())
    void used.text()
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    it.each<readonly [string, string, ...unknown[]]>([
      ["no request", "missing_header", undefined, current],
      ["null", "missing_header", null, current],
      ["a number for the request", "missing_header", 1, current],
      ["no headers", "missing_header", { body: plain }, current],
      ["null headers", "missing_header", { headers: null, body: plain }, current],
      ["text for headers", "missing_header", { headers: "X-Service-Signature", body: plain }, current],
      ["headers whose getter throws", "missing_header", throwing("headers"), current],
      [
        "a header whose getter throws",
        "missing_header",
        { headers: throwing("X-Service-Signature"), body: plain },
        current,
      ],
      ["a header that is called get", "missing_header", { headers: { ...brand(), get: "x" }, body: plain }, current],
      ["headers in the prototype", "missing_header", { headers: Object.create(brand()), body: plain }, current],
      [
        "a number for a signature",
        "malformed_header",
        { headers: { ...brand(), "X-Service-Signature": 1 }, body: plain },
        current,
      ],
      [
        "an empty list for a signature",
        "missing_header",
        { headers: { ...brand(), "X-Service-Signature": [] }, body: plain },
        current,
      ],
      [
        "a list within itself",
        "missing_header",
        { headers: { ...brand(), "X-Service-Signature": cyclic }, body: plain },
        current,
      ],
      [
        "two timestamps",
        "malformed_header",
        { headers: { ...brand(), "X-Service-Timestamp": [`${now}`, `${now}`] }, body: plain },
        current,
      ],
      [
        "a megabyte of signature",
        "signature_mismatch",
        { headers: brand(plain, "sha256=".repeat(150_000)), body: plain },
        current,
      ],
      [
        "ten thousand signatures",
        "signature_mismatch",
        { headers: brand(plain, `${brandSignature(plain, other)},`.repeat(10_000)), body: plain },
        current,
      ],
      ["no body", "malformed_body", { headers: brand() }, current],
      ["a body that is null", "malformed_body", { headers: brand(), body: null }, current],
      ["a body that was parsed", "malformed_body", { headers: brand(), body: JSON.parse(plain) }, current],
      ["a body that is a stream", "malformed_body", { headers: brand(), body: new Blob([plain]).stream() }, current],
      [
        "a body that says how long it is",
        "malformed_body",
        { headers: brand(), body: { length: 1e12, byteLength: 1e12 } },
        current,
      ],
      ["a body that is a number", "malformed_body", { headers: brand(), body: 8 }, current],
      ["a body whose getter throws", "malformed_body", Object.assign(throwing("body"), { headers: brand() }), current],
      ["a request whose body was read", "malformed_body", used, current],
      ["half of a surrogate pair", "signature_mismatch", { headers: brand(), body: `${plain}\ud800` }, current],
      ["no secret", "signature_mismatch", { headers: brand(), body: plain }, undefined],
      [
        "null for a secret",
        "signature_mismatch",
        { headers: brand(plain, brandSignature(plain, "null")), body: plain },
        null,
      ],
      [
        "a number for a secret",
        "signature_mismatch",
        { headers: brand(plain, brandSignature(plain, "1")), body: plain },
        1,
      ],
      [
        "an object for a secret",
        "signature_mismatch",
        { headers: brand(plain, brandSignature(plain, "[object Object]")), body: plain },
        {},
      ],
      ["a brand that is no text", "missing_header", { headers: brand(), body: plain }, current, { brand: 1 }],
      [
        "a clock that is no number",
        "timestamp_too_old",
        { headers: brand(), body: plain },
        current,
        { now: Number.NaN },
      ],
      [
        "a tolerance that is no number",
        "timestamp_too_old",
        { headers: brand(), body: plain },
        current,
        { ...options, tolerance: Number.NaN },
      ],
      ["null for options", "timestamp_too_old", { headers: brand(), body: plain }, current, null],
      ["options whose getter throws", "missing_header", { headers: brand(), body: plain }, current, throwing("brand")],
    ])("%s", async (_, expected, ...input) => {
      assert.strictEqual(await reason(...input), expected)
    })
  })

  it.effect.prop(
    "refuses whatever headers and body are, and does not throw",
    [Schema.Record(Schema.String, Schema.Unknown), Schema.Unknown],
    ([headers, body]) =>
      Effect.gen(function* () {
        assert.notStrictEqual(yield* Effect.promise(() => reason({ headers, body }, current)), "accepted")
      }),
  )

  it.effect.prop(
    "refuses whatever the values of its headers are, and does not throw",
    [Schema.String, Schema.String, Schema.String],
    ([id, timestamp, signature]) =>
      Effect.gen(function* () {
        const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }
        assert.notStrictEqual(yield* Effect.promise(() => reason({ headers, body: plain }, current)), "accepted")
      }),
  )

  it.effect.prop(
    "refuses a body with any one bit changed",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: bytes.length * 8 - 1 }))],
    ([bit]) =>
      Effect.gen(function* () {
        const body = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        assert.notStrictEqual(yield* Effect.promise(() => reason({ headers: brand(), body }, current)), "accepted")
      }),
  )
})
