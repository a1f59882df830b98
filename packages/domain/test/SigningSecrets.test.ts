import { assert, describe, it } from "@effect/vitest"
import { Limits, SigningSecrets } from "../src/index.ts"

const now = Date.parse("2026-11-21T12:00:00.000Z")
const HOUR = 3_600_000
const names = (text: string | undefined, at: number) => SigningSecrets.valid(text ?? "", at).map(({ secret }) => secret)
const rotate = (text: string, next: string, overlap_ms: number, at = now) =>
  SigningSecrets.rotate(text, next, at, overlap_ms) ?? ""

/** As the server encrypts them. */
const [a, b, c] = ["v1:AAAA+/8=", "v1:BBBB", "v1:CCCC=="] as const

describe("the secrets of an endpoint", () => {
  it("are its one secret as it is where none was replaced", () => {
    assert.deepStrictEqual(SigningSecrets.all(a), [{ secret: a, until: Infinity }])
    assert.strictEqual(SigningSecrets.present(a), a)
    assert.isNull(SigningSecrets.overlapUntil(a))
    assert.strictEqual(SigningSecrets.presentSince(a), 0)
  })

  it("are the new one first, and the one it replaced until the overlap ends, to the millisecond", () => {
    const text = rotate(a, b, HOUR)
    assert.strictEqual(SigningSecrets.present(text), b)
    assert.strictEqual(SigningSecrets.overlapUntil(text), now + HOUR)
    assert.deepStrictEqual(names(text, now), [b, a])
    assert.deepStrictEqual(names(text, now + HOUR - 1), [b, a])
    assert.deepStrictEqual(names(text, now + HOUR), [b])
  })

  it("are the new one alone without an overlap, whatever signed before", () => {
    assert.deepStrictEqual(SigningSecrets.all(rotate(a, b, 0)), [{ secret: b, until: Infinity }])
    assert.deepStrictEqual(names(rotate(rotate(a, b, HOUR), c, 0), now), [c])
  })

  it("tell since when the present one signs, whether or not others sign beside it", () => {
    assert.strictEqual(SigningSecrets.presentSince(rotate(a, b, 0)), now)
    assert.strictEqual(SigningSecrets.presentSince(rotate(rotate(a, b, HOUR), c, HOUR, now + 1)), now + 1)
  })

  it("sign each until its own end when they are replaced again and again", () => {
    const text = rotate(rotate(a, b, 2 * HOUR), c, HOUR)
    assert.deepStrictEqual(names(text, now), [c, b, a])
    assert.deepStrictEqual(names(text, now + HOUR), [c, a])
    assert.deepStrictEqual(names(text, now + 2 * HOUR), [c])
    assert.strictEqual(SigningSecrets.overlapUntil(text), now + 2 * HOUR)
  })

  it("are forgotten with the first rotation after their end", () =>
    assert.notInclude(rotate(rotate(a, b, HOUR), c, HOUR, now + HOUR), a))

  it(`are ${Limits.SIGNING_SECRETS_MAX} at most that sign at the same time`, () => {
    const others = Array.from({ length: Limits.SIGNING_SECRETS_MAX - 1 }, (_, nth) => `v1:${nth}`)
    const full = others.reduce((text, next) => rotate(text, next, HOUR), a)
    assert.lengthOf(names(full, now), Limits.SIGNING_SECRETS_MAX)
    assert.isUndefined(SigningSecrets.rotate(full, b, now, HOUR))
    assert.deepStrictEqual(names(SigningSecrets.rotate(full, b, now, 0), now), [b])
    assert.deepStrictEqual(names(SigningSecrets.rotate(full, b, now + HOUR, HOUR), now + HOUR), [b, "v1:8"])
  })
})
