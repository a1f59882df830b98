import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { ApiKey } from "../src/index.ts"

const bytes = Uint8Array.from({ length: ApiKey.KEY_BYTES }, (_, index) => index * 8)
const key = ApiKey.fromBytes(bytes)
const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex")

const KeyBytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))).check(
  Schema.isMinLength(ApiKey.KEY_BYTES),
  Schema.isMaxLength(ApiKey.KEY_BYTES),
)

describe("a key", () => {
  it("is tc_ and the bytes in hexadecimal", () => assert.strictEqual(key, `tc_${Buffer.from(bytes).toString("hex")}`))
  it.prop("made of any 32 bytes has the form of a key", [KeyBytes], ([random]) =>
    assert.isTrue(ApiKey.isKey(ApiKey.fromBytes(Uint8Array.from(random)))),
  )
  it("has its first 8 characters after tc_ as its prefix", () =>
    assert.strictEqual(ApiKey.prefixOf(`tc_01234567${"a".repeat(56)}`), "01234567"))
  it("may be written with capital digits", () => assert.isTrue(ApiKey.isKey(`tc_${"AF09".repeat(16)}`)))
  for (const [sentence, text] of [
    ["one digit short", key.slice(0, -1)],
    ["one digit long", `${key}0`],
    ["under another prefix", key.replace("tc_", "sk_")],
    ["without a prefix", key.slice(3)],
    ["with a capital prefix", key.replace("tc_", "TC_")],
    ["with a letter that is no digit", `${key.slice(0, -1)}g`],
    ["with a line break", `${key}\n`],
    ["empty", ""],
  ] as const)
    it(`is none when ${sentence}`, () => assert.isFalse(ApiKey.isKey(text)))
})

const flip = (digit: string | undefined) => (digit === "0" ? "1" : "0")

/** A text that counts how often a character of it is read. */
class Read extends String {
  times = 0
  override charCodeAt(index: number) {
    this.times++
    return super.charCodeAt(index)
  }
}

/** How many characters of each of two hashes are read to compare them. */
const readsOf = (left: string, right: string) => {
  const texts = [new Read(left), new Read(right)] as const
  // An object for a text, which a comparison by characters cannot tell.
  ApiKey.sameHash(...(texts as unknown as [string, string]))
  return texts.map(({ times }) => times)
}

describe("a hash", () => {
  it("is the SHA-256 of the key's text", () => assert.strictEqual(ApiKey.hash(key), sha256(key)))
  it.prop("is the SHA-256 of any text in UTF-8", [Schema.String], ([text]) =>
    assert.strictEqual(ApiKey.hash(text.toWellFormed()), sha256(text.toWellFormed())),
  )
  it("is the same as itself", () => assert.isTrue(ApiKey.sameHash(ApiKey.hash(key), ApiKey.hash(key))))
  it("differs when one character does, wherever it stands", () => {
    const hash = ApiKey.hash(key)
    for (let at = 0; at < hash.length; at++) {
      const other = `${hash.slice(0, at)}${flip(hash[at])}${hash.slice(at + 1)}`
      assert.isFalse(ApiKey.sameHash(hash, other), `at ${at}`)
    }
  })
  it("is read to its end wherever the difference stands, so that the time taken does not tell", () => {
    const hash = ApiKey.hash(key)
    const others = [hash, `${flip(hash[0])}${hash.slice(1)}`, `${hash.slice(0, -1)}${flip(hash.at(-1))}`]
    for (const other of others) assert.deepStrictEqual(readsOf(hash, other), [hash.length, hash.length])
  })
  it("differs from its own beginning", () => {
    assert.isFalse(ApiKey.sameHash(ApiKey.hash(key), ApiKey.hash(key).slice(0, -1)))
    assert.isFalse(ApiKey.sameHash("", ApiKey.hash(key)))
  })
})

describe("the use of a key", () => {
  const row = Schema.decodeSync(ApiKey.Row)({
    id: "019a3f5e-7c10-7d42-9b6e-5f21c08a4e01",
    account_id: "019a3f5e-7c10-7d42-9b6e-5f21c08a4e00",
    name: "Checkout",
    prefix: ApiKey.prefixOf(key),
    scopes: ["read"],
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    created_at: "2026-01-01T00:00:00.000Z",
    hash: ApiKey.hash(key),
  })
  const noon = "2026-11-21T12:00:00.000Z"

  it("is granted when it neither expires nor was revoked", () =>
    assert.strictEqual(Result.getOrThrow(ApiKey.usable(row, noon)), row))
  it("is granted a millisecond before it expires", () =>
    assert.isTrue(Result.isSuccess(ApiKey.usable({ ...row, expires_at: noon }, "2026-11-21T11:59:59.999Z"))))
  it("is refused from the moment it expires", () =>
    assert.deepStrictEqual(ApiKey.usable({ ...row, expires_at: noon }, noon), Result.fail("expired")))
  it("is refused once revoked", () =>
    assert.deepStrictEqual(ApiKey.usable({ ...row, revoked_at: noon }, noon), Result.fail("revoked")))
  it("is refused as revoked when it expired too", () =>
    assert.deepStrictEqual(ApiKey.usable({ ...row, expires_at: noon, revoked_at: noon }, noon), Result.fail("revoked")))
})

describe("the scope of a method", () => {
  for (const [method, scope] of [
    ["GET", "read"],
    ["HEAD", "read"],
    ["POST", "write"],
    ["PUT", "write"],
    ["PATCH", "write"],
    ["DELETE", "delete"],
  ] as const)
    it(`${method} needs ${scope}`, () => assert.strictEqual(ApiKey.scopeOf(method), scope))
})
