import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { verify } from "../src/verify.ts"
import { brand, brandSignature, current, now, other, plain, standard, standardSignature } from "./Vector.ts"
import { verifiers } from "./Verifiers.ts"

const options = { now: now * 1000 }
const bytes = new TextEncoder().encode(plain)
const post = (headers: Record<string, string>) =>
  new Request("https://example.com", { method: "POST", headers, body: plain })

describe.each(verifiers)("verify with %s", (_, verify) => {
  const late = (milliseconds: number) =>
    verify({ headers: brand(), body: plain }, current, { now: now * 1000 + milliseconds, tolerance: 0.5 })

  describe("takes", () => {
    it.each([
      ["a Request", post(brand())],
      ["a Request in the other scheme", post(standard())],
      ["a Headers object", { headers: new Headers(brand()), body: plain }],
      ["headers as Node has them", { headers: { host: "a", "set-cookie": ["a", "b"], ...standard() }, body: plain }],
      [
        "headers with lists of values",
        {
          headers: { ...brand(), "x-service-signature": [brandSignature(plain, other), brandSignature()] },
          body: plain,
        },
      ],
      ["headers without a prototype", { headers: Object.assign(Object.create(null), brand()), body: plain }],
      ["headers that are undefined beside those that matter", { headers: { ...brand(), via: undefined }, body: plain }],
      [
        "a header of the brand's that is undefined",
        { headers: { "X-Service-Signature": undefined, ...standard() }, body: plain },
      ],
      ["a body as bytes", { headers: brand(), body: bytes }],
      ["a body as an ArrayBuffer", { headers: brand(), body: bytes.buffer }],
      ["a body as a part of a larger buffer", { headers: brand(), body: Buffer.from(`..${plain}..`).subarray(2, -2) }],
      ["a body as a DataView", { headers: brand(), body: new DataView(bytes.buffer) }],
    ])("%s", async (_, request) => {
      assert.deepStrictEqual(await verify(request, current, options), { ok: true, event: JSON.parse(plain) })
    })
  })

  it("goes by the clock of the runtime unless told the time", async () => {
    const at = Math.floor(Date.now() / 1000)
    const result = await verify({ headers: brand(plain, undefined, at), body: plain }, current)
    assert.isTrue(result.ok)
  })

  it("takes a tolerance that is not a whole number of seconds to the millisecond", async () => {
    assert.deepStrictEqual([(await late(500)).ok, (await late(501)).ok], [true, false])
  })

  it("judges the headers before it reads the body", async () => {
    const request = post({})
    await verify(request, current, options)
    assert.isFalse(request.bodyUsed)
  })
})

// Whether its time tells of the signature cannot be seen in the time, but in what it reads.
describe.each([
  ["brand", brand, brandSignature(), "sha256="],
  ["standard", standard, standardSignature(), "v1,"],
])("the signature of the scheme %s", (_, headers, signature, start) => {
  const length = signature.length - start.length
  const wrongAt = (at: number) => `${signature.slice(0, at)}!${signature.slice(at + 1)}`

  /** How many characters are read one by one. */
  const reads = async (signature: string) => {
    const read = vi.spyOn(String.prototype, "charCodeAt")
    await verify({ headers: headers(plain, signature), body: plain }, current, options)
    const { length } = read.mock.calls
    read.mockRestore()
    return length
  }

  it("is looked for among so many and no more", async () => {
    const one = await reads(wrongAt(start.length))
    const thousands = Array.from({ length: 10_000 }, () => wrongAt(start.length)).join(start === "v1," ? " " : ",")
    assert.isBelow(await reads(thousands), 100 * one)
  })

  it("is read to its end wherever it is wrong", async () => {
    const [right, first, last] = [signature, wrongAt(start.length), wrongAt(signature.length - 1)]
    const all = await reads(right)
    assert.deepStrictEqual([await reads(first), await reads(last)], [all, all])
    assert.isAtLeast(all, 2 * length, "each character of it and of the one that it is compared to")
  })
})
