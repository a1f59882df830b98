import { BlockList, isIP, isIPv4 } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { vi } from "vitest"
import * as Address from "../src/Address.ts"
import { known, neighbours, ranges, unreadable } from "./Addresses.ts"

describe("an address", () => {
  it.each(ranges)("from %s to %s is %s", (first, last, kind) => {
    assert.deepStrictEqual([Address.kind(first), Address.kind(last)], [kind, kind])
  })

  it.each(neighbours)("such as %s, beside a range, is public", (address) => {
    assert.strictEqual(Address.kind(address), "public")
  })

  it.each(Object.entries(known))("such as %s is %s", (address, kind) => {
    assert.strictEqual(Address.kind(address), kind)
    assert.strictEqual(Address.isPublic(address), kind === "public")
  })

  it.each(unreadable)("is not read from %j", (text) => {
    assert.strictEqual(Address.kind(text), "unreadable")
    assert.isFalse(Address.isPublic(text))
  })

  // To search such a text takes the square of its length; that nobody searches it can be seen without a clock.
  it("is not looked for in a text that is longer than any", () => {
    const longest = "2606:4700:4700:1111:2222:3333:255.255.255.255"
    const text = `:${"a".repeat(longest.length)}`
    const searches = [vi.spyOn(String.prototype, "replace"), vi.spyOn(String.prototype, "split")]
    const kinds = [Address.kind(text), Address.kind(longest)]
    const searched = searches.flatMap((search) => search.mock.contexts.map(String))
    for (const search of searches) search.mockRestore()
    assert.deepStrictEqual(kinds, ["unreadable", "public"])
    assert.include(searched, longest)
    assert.notInclude(searched, text)
  })
})

/** One list for each family: together they would judge IPv4 by what is blocked of ::ffff:0:0/96. */
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [first, last] of ranges) {
  const family = isIPv4(first) ? "ipv4" : "ipv6"
  blocked[family].addRange(first, last, family)
}

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const bytes = Schema.Tuple([upTo(255), upTo(255), upTo(255), upTo(255)])
/** Groups as they stand at the start of a range, and others. */
const group = Schema.Union([
  Schema.Literals([0, 1, 2, 0x64, 0x100, 0x2000, 0x2001, 0x2002, 0x2620, 0x3fff, 0x4f, 0xdb8, 0xff9b, 0xfe80, 0xffff]),
  upTo(0xffff),
])
const groups = Schema.Tuple([group, group, group, group, group, group, group, group])
const written = Schema.Array(
  Schema.Literals(["0", "1", "25", "255", "f", "00", ".", ".", ":", ":", "::", "g", "%", "x"]),
)

describe("any address", () => {
  it.prop("of IPv4 is public when it is in none of the ranges", [bytes], ([bytes]) => {
    const address = bytes.join(".")
    assert.strictEqual(Address.isPublic(address), !blocked.ipv4.check(address, "ipv4"))
  })

  it.prop("of IPv6 is public when it is in none of the ranges", [groups], ([groups]) => {
    const address = groups.map((group) => group.toString(16)).join(":")
    assert.strictEqual(Address.isPublic(address), !blocked.ipv6.check(address, "ipv6"))
  })

  it.prop("is of one kind in whichever way it is written", [groups], ([groups]) => {
    const long = groups.map((group) => group.toString(16).padStart(4, "0")).join(":")
    const short = new URL(`http://[${long}]`).hostname.slice(1, -1)
    const dotted = `${long.slice(0, 30)}${groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".")}`
    const kinds = [long, long.toUpperCase(), short, dotted].map(Address.kind)
    assert.deepStrictEqual(kinds, Array(4).fill(kinds[0]))
    assert.notStrictEqual(kinds[0], "unreadable")
  })

  it.prop("is read only from what is one", [written], ([parts]) => {
    const text = parts.join("")
    if (isIP(text) === 0) assert.isFalse(Address.isPublic(text))
  })
})
