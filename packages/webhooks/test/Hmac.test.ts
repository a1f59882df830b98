import { assert, describe, it } from "@effect/vitest"
import * as crypto from "node:crypto"
import * as Hmac from "../src/Hmac.ts"

const MIB = 1024 * 1024
/** Around a block of the hash, around what is put together to be hashed at once, and far beyond. */
const sizes = [
  0,
  1,
  55,
  56,
  63,
  64,
  65,
  1_000,
  64 * 1024 - 64 - 3 * 12,
  64 * 1024 - 64,
  64 * 1024,
  64 * 1024 + 1,
  2 * MIB,
]
const start = "1700000000.é"

const expected = (key: Uint8Array, start: string, body: Uint8Array) =>
  crypto.createHmac("sha256", key).update(start).update(body).digest("hex")

describe.each([
  ["at once", crypto],
  ["where node cannot hash at once", { ...crypto, hash: undefined as never }],
])("HMAC-SHA256 %s", (_, node) => {
  it.each([0, 1, 24, 63, 64, 65, 94, 1_000])("is that of node under a key of %d bytes", (length) => {
    const key = crypto.randomBytes(length)
    const mac = Hmac.make(node, key, "hex")
    for (const size of [...sizes, ...sizes.toReversed()]) {
      const body = crypto.randomBytes(size)
      assert.strictEqual(mac(start, body), expected(key, start, body), `${size} bytes`)
    }
  })

  it("is written in base64 as well", () => {
    const key = crypto.randomBytes(32)
    const body = crypto.randomBytes(100)
    assert.strictEqual(
      Hmac.make(node, key, "base64")(start, body),
      Buffer.from(expected(key, start, body), "hex").toString("base64"),
    )
  })

  it("of one key is not in the way of another", () => {
    const keys = Array.from({ length: 5 }, () => crypto.randomBytes(40))
    const macs = keys.map((key) => Hmac.make(node, key, "hex"))
    const body = crypto.randomBytes(500)
    for (let round = 0; round < 3; round++)
      assert.deepStrictEqual(
        macs.map((mac) => mac(start, body)),
        keys.map((key) => expected(key, start, body)),
      )
  })

  // RFC 4231, test cases 1, 2 and 6.
  it.each([
    ["0b".repeat(20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    ["4a656665", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
    [
      "aa".repeat(131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
  ])("is that of the RFC under the key %s", (key, text, mac) => {
    const split = text.length >> 1
    assert.strictEqual(
      Hmac.make(node, Buffer.from(key, "hex"), "hex")(text.slice(0, split), Buffer.from(text.slice(split))),
      mac,
    )
  })
})
