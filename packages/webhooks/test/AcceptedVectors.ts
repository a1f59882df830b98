/** Vectors that a verifier must accept. */
import {
  accepted,
  brand,
  brandSignature,
  current,
  envelope,
  now,
  other,
  plain,
  previous,
  standard,
  standardSignature,
  type Vector,
} from "./Vector.ts"

const rename = (headers: Record<string, string>, change: (name: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]))

/** One body signed in both schemes. */
const both = (name: string, bytes: string, event?: string) => [
  accepted(`${name}, brand`, { headers: brand(bytes), bytes }, event),
  accepted(`${name}, standard`, { headers: standard(bytes), bytes }, event),
]
const brandSigned = (signature: string) => ({ headers: brand(plain, signature) })
const standardSigned = (signature: string) => ({ headers: standard(plain, signature) })
const base64 = standardSignature().slice(3)
/** Nine signatures that do not fit. */
const nine = (sign: typeof brandSignature) => Array.from({ length: 9 }, () => sign(plain, other))
const large = envelope({ canvas_data: { path: "M0 0L1 1".repeat(2048) } })

export const vectors: readonly Vector[] = [
  ...both("a design", plain),
  ...both("text in many scripts", envelope({ name: "Käse 設計 تصميم 👩‍🎨 \u2028 \ufffd" })),
  ...both(
    "escapes that a parser undoes",
    plain.replace('"finalized"', '"\\u0066inalized \\u20ac \\u0000 \\ud800 \\/"'),
  ),
  ...both(
    "space and numbers that a parser loses",
    `${plain.slice(0, -1)}, "n" : [1.0, 1e2, 12345678901234567890]\r\n}\n`,
  ),
  ...both("all bytes that text can have", envelope({ bytes: String.fromCharCode(...Array(256).keys()) })),
  accepted("16 KiB", { headers: brand(large), bytes: large }),
  ...both("an event that is not known yet", envelope({ a: 1 }, "design.teleported"), "design.teleported"),
  ...both("a key called __proto__", plain.replace('"data"', '"__proto__":{"polluted":true},"data"')),
  accepted("names in lower case, brand", { headers: rename(brand(), (name) => name.toLowerCase()) }),
  accepted("names in upper case, standard", { headers: rename(standard(), (name) => name.toUpperCase()) }),
  accepted("another brand", { headers: rename(brand(), (name) => name.replace("Service", "Acme")), brand: "Acme" }),
  accepted("exactly as old as tolerated, brand", { now: now + 300 }),
  accepted("exactly as new as tolerated, brand", { now: now - 300 }),
  accepted("exactly as old as tolerated, standard", { headers: standard(), now: now + 300 }),
  accepted("exactly as new as tolerated, standard", { headers: standard(), now: now - 300 }),
  accepted("an hour old where an hour is tolerated", { now: now + 3600, tolerance: 3600 }),
  accepted("the second secret, brand", { secrets: [other, current] }),
  accepted("the second secret, standard", { headers: standard(), secrets: [other, current] }),
  accepted("two signatures, apart by a comma, and the old secret", {
    ...brandSigned(`${brandSignature()},${brandSignature(plain, previous)}`),
    secrets: [previous],
  }),
  accepted("two signatures and the new secret", brandSigned(`${brandSignature()},${brandSignature(plain, previous)}`)),
  accepted("two signatures, apart by a space", brandSigned(`${brandSignature(plain, previous)} ${brandSignature()}`)),
  accepted("two signatures, as from two headers", brandSigned(`${brandSignature(plain, other)}, ${brandSignature()}`)),
  accepted("two signatures and the old secret, standard", {
    ...standardSigned(`${standardSignature()} ${standardSignature(plain, previous)}`),
    secrets: [previous],
  }),
  accepted("ten signatures, the last fits", brandSigned([...nine(brandSignature), brandSignature()].join(","))),
  accepted(
    "ten signatures, the last fits, standard",
    standardSigned([...nine(standardSignature), standardSignature()].join(" ")),
  ),
  accepted("two signatures and two secrets, of which one of each fits", {
    ...brandSigned(`${brandSignature(plain, other)},${brandSignature(plain, previous)}`),
    secrets: [current, previous],
  }),
  accepted("two signatures and two secrets, of which one of each fits, standard", {
    ...standardSigned(`${standardSignature(plain, other)} ${standardSignature(plain, previous)}`),
    secrets: [current, previous],
  }),
  accepted("a signature of another version", standardSigned(`v1a,${"A".repeat(86)}== v1,${base64}`)),
  accepted("a signature of another algorithm", brandSigned(`sha512=${"0".repeat(128)},${brandSignature()}`)),
  accepted("a secret without its prefix, standard", { headers: standard(), secrets: [current.slice(6)] }),
  ...["\n", "\r\n", " "].flatMap((space) => [
    accepted(`a secret with ${JSON.stringify(space)} after it, brand`, { secrets: [current + space] }),
    accepted(`a secret with ${JSON.stringify(space)} after it, standard`, {
      headers: standard(),
      secrets: [current + space],
    }),
  ]),
  accepted("a secret of another form, brand", {
    ...brandSigned(brandSignature(plain, "käse 🧀")),
    secrets: ["käse 🧀"],
  }),
  accepted("malformed secrets before the right one", {
    headers: standard(),
    secrets: ["whsec_!", "whsec_A", "", current],
  }),
  accepted("both schemes", { headers: { ...brand(), ...standard() } }),
  accepted("both schemes, only the brand's fits", {
    headers: { ...brand(), ...standard(plain, standardSignature(plain, other)) },
  }),
]
