import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Id } from "../src/index.ts"
import { takes } from "./Wrong.ts"

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 48 - 1 }))
const Random = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))).check(
  Schema.isMinLength(10),
  Schema.isMaxLength(10),
)

const bits = (uuid: string): bigint => BigInt(`0x${uuid.replaceAll("-", "")}`)
const toBits = (bytes: ReadonlyArray<number>): bigint => bytes.reduce((all, byte) => (all << 8n) | BigInt(byte), 0n)

describe("UUIDv7 (RFC 9562, section 5.7)", () => {
  it("writes the example of the RFC", () =>
    assert.strictEqual(
      // Appendix A.6: unix_ts_ms 0x017F22E279B0, rand_a 0xCC3, rand_b 0x18C4DC0C0C07398F.
      Id.uuidV7(0x017f22e279b0, Uint8Array.of(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f)),
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
    ))
  it.prop("has the form of a UUID in lower case", [Millis, Random], ([millis, random]) =>
    assert.isTrue(takes(Id.EventId.id, Id.uuidV7(millis, Uint8Array.from(random)))),
  )
  it.prop("starts with the 48 bits of the time", [Millis, Random], ([millis, random]) =>
    assert.strictEqual(bits(Id.uuidV7(millis, Uint8Array.from(random))) >> 80n, BigInt(millis)),
  )
  it.prop("has version 7 and variant 10", [Millis, Random], ([millis, random]) => {
    const uuid = bits(Id.uuidV7(millis, Uint8Array.from(random)))
    assert.strictEqual((uuid >> 76n) & 0xfn, 7n)
    assert.strictEqual((uuid >> 62n) & 0b11n, 0b10n)
  })
  it.prop("fills the other 74 bits with random ones", [Millis, Random], ([millis, random]) => {
    const uuid = bits(Id.uuidV7(millis, Uint8Array.from(random)))
    assert.strictEqual((uuid >> 64n) & 0xfffn, (toBits(random) >> 64n) & 0xfffn)
    assert.strictEqual(uuid & (2n ** 62n - 1n), toBits(random) & (2n ** 62n - 1n))
  })
  it.prop("sorts by time, whatever is random", [Millis, Millis, Random, Random], ([one, other, left, right]) => {
    const [early, late] = one < other ? [one, other] : [other, one]
    if (early === late) return
    assert.isTrue(Id.uuidV7(early, Uint8Array.from(left)) < Id.uuidV7(late, Uint8Array.from(right)))
  })
})

describe("an id", () => {
  const upper = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"
  it("may be sent in upper case and becomes lower case", () =>
    assert.strictEqual(Schema.decodeUnknownSync(Id.StoreId.input)(upper), upper.toLowerCase()))
  it("is never kept in upper case", () => assert.isFalse(takes(Id.StoreId.id, upper)))
  it("may be a UUID of any version", () =>
    assert.isTrue(takes(Id.StoreId.input, "00000000-0000-0000-0000-000000000000")))
  for (const [sentence, text] of [
    ["too short", "017f22e2-79b0-7cc3-98c4-dc0c0c07398"],
    ["too long", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0"],
    ["without hyphens", "017f22e279b07cc398c4dc0c0c07398f"],
    ["in braces", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}"],
    ["with a letter that is no digit", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g"],
    ["with a line break", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n"],
    ["empty", ""],
  ] as const)
    it(`is none when ${sentence}`, () => assert.isFalse(takes(Id.StoreId.input, text)))
})
