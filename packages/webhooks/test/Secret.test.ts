import { assert, describe, it } from "@effect/vitest"
import * as Secret from "../src/Secret.ts"

const of = (length: number) => `whsec_${Buffer.alloc(length, 251).toString("base64")}`

describe("Secret", () => {
  it("is whsec_ and 32 bytes in base64", () => {
    assert.match(Secret.make(), /^whsec_[A-Za-z0-9+/]{43}=$/)
  })

  it("differs each time", () => {
    assert.strictEqual(new Set(Array.from({ length: 100 }, () => Secret.make())).size, 100)
  })

  it("is made of the random bytes given", () => {
    assert.strictEqual(Secret.make(Buffer.alloc(32, 251)), of(32))
  })

  it("gives its bytes back", () => {
    const random = crypto.getRandomValues(new Uint8Array(32))
    assert.deepStrictEqual(Secret.decode(Secret.make(random)), random)
  })

  it.each([24, 25, 32, 33, 64])("has as many as %d bytes", (length) => {
    assert.isTrue(Secret.isSecret(of(length)))
  })

  it.each([0, 16, 23, 65, 1000])("is not made of %d bytes", (length) => {
    assert.throws(() => Secret.make(new Uint8Array(length)), RangeError)
  })

  it.each([
    undefined,
    null,
    1,
    "",
    "whsec_",
    of(23),
    of(65),
    of(32).slice(6),
    of(32).replace("whsec_", "WHSEC_"),
    ` ${of(32)}`,
    `${of(32)}\n`,
    of(32).slice(0, -1),
    `${of(32)}=`,
    `whsec_${"-_".repeat(16)}`,
    `whsec_${"A".repeat(42)}B=`,
    { length: 50 },
  ])("is not %j", (text) => {
    assert.isFalse(Secret.isSecret(text))
  })
})
