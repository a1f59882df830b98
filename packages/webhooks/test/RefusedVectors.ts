/** Vectors that a verifier must refuse, each for its reason. */
import {
  brand,
  brandSignature,
  current,
  hmac,
  id,
  now,
  other,
  plain,
  refused,
  standard,
  standardSignature,
  type Vector,
} from "./Vector.ts"

/** Headers with one left out. */
const without = (name: string, headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))

const brandSigned = (signature: string) => ({ headers: brand(plain, signature) })
const standardSigned = (signature: string) => ({ headers: standard(plain, signature) })
const digits = brandSignature().slice(7)
const base64 = standardSignature().slice(3)

/** One body signed in both schemes. */
const signedBut = (name: string, bytes: string | Uint8Array) => [
  refused("malformed_body", `signed, but ${name}, brand`, { headers: brand(bytes), bytes }),
  refused("malformed_body", `signed, but ${name}, standard`, { headers: standard(bytes), bytes }),
]

const headers = [
  refused("missing_header", "no headers", { headers: {} }),
  refused("missing_header", "no signature, brand", { headers: without("X-Service-Signature", brand()) }),
  refused("missing_header", "no timestamp, brand", { headers: without("X-Service-Timestamp", brand()) }),
  refused("missing_header", "no timestamp beside the brand's signature, but one of the other scheme", {
    headers: { ...without("X-Service-Timestamp", brand()), ...standard() },
  }),
  refused("missing_header", "another brand's headers", { brand: "Acme" }),
  ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    refused("missing_header", `no ${name}`, { headers: without(name, standard()) }),
  ),
  refused("missing_header", "an empty signature, brand", brandSigned("")),
  refused("missing_header", "an empty signature, standard", standardSigned("")),
  refused("missing_header", "an empty timestamp, brand", { headers: brand(plain, undefined, "") }),
  refused("missing_header", "an empty timestamp, standard", { headers: standard(plain, undefined, "") }),
  ...[" ", ",", "sha256=", `sha1=${digits.slice(24)}`, `sha256 ${digits}`, digits, "true"].map((signature) =>
    refused("malformed_header", `no signature in "${signature}", brand`, brandSigned(signature)),
  ),
  ...[" ", ",", "v1,", "v1, ", `v1a,${base64}`, `v1=${base64}`, base64, "true"].map((signature) =>
    refused("malformed_header", `no signature in "${signature}", standard`, standardSigned(signature)),
  ),
  ...[" ", "now", "-1", "+1767225600", "1767225600.0", "1e9", "0x1", "1767225600, 1767225600", "١٧٦٧٢٢٥٦٠٠"].flatMap(
    (at) => [
      refused("malformed_header", `the timestamp "${at}", brand`, { headers: brand(plain, undefined, at) }),
      refused("malformed_header", `the timestamp "${at}", standard`, { headers: standard(plain, undefined, at) }),
    ],
  ),
]

const timestamps = [
  refused("timestamp_too_old", "a second too old, brand", { now: now + 301 }),
  refused("timestamp_too_new", "a second too new, brand", { now: now - 301 }),
  refused("timestamp_too_old", "a second too old, standard", { headers: standard(), now: now + 301 }),
  refused("timestamp_too_new", "a second too new, standard", { headers: standard(), now: now - 301 }),
  refused("timestamp_too_old", "a second old where none is tolerated", { now: now + 1, tolerance: 0 }),
  refused("timestamp_too_old", "from 1970", { headers: brand(plain, undefined, 0) }),
  refused("timestamp_too_new", "in milliseconds", { headers: brand(plain, undefined, now * 1000) }),
  refused("timestamp_too_new", "too large for a number", { headers: brand(plain, undefined, "9".repeat(400)) }),
]

const hundred = (signature: string) => Array.from({ length: 99 }, () => signature)
const mismatch = (name: string, rest: Parameters<typeof refused>[2]) => refused("signature_mismatch", name, rest)
const signatures = [
  mismatch("another secret, brand", { secrets: [other] }),
  mismatch("another secret, standard", { headers: standard(), secrets: [other] }),
  mismatch("no secret", { secrets: [] }),
  mismatch("another body", { headers: brand(), bytes: plain.replace("finalized", "finalised") }),
  mismatch("the body with a line feed after it", { headers: brand(), bytes: `${plain}\n` }),
  mismatch("the body with a byte order mark before it", { headers: brand(), bytes: `\ufeff${plain}` }),
  mismatch("the body written anew", { headers: standard(), bytes: JSON.stringify(JSON.parse(plain), null, 2) }),
  mismatch("no body", { headers: brand(), bytes: "" }),
  mismatch("a fresh timestamp over an old signature", {
    headers: brand(plain, brandSignature(plain, current, now - 9999)),
  }),
  mismatch("another id, standard", { headers: { ...standard(), "webhook-id": "other" } }),
  mismatch("a signature over the body alone", brandSigned(`sha256=${hmac(current, plain).toString("hex")}`)),
  mismatch("a signature of zeros, brand", brandSigned(`sha256=${"0".repeat(64)}`)),
  mismatch("a signature of zeros, standard", standardSigned(`v1,${"A".repeat(43)}=`)),
  mismatch("a signature of zeros and a malformed secret", {
    ...standardSigned(`v1,${"A".repeat(43)}=`),
    secrets: ["whsec_!"],
  }),
  mismatch(
    "the key of the other scheme, brand",
    brandSigned(`sha256=${hmac(Buffer.from(current.slice(6), "base64"), `${now}.${plain}`).toString("hex")}`),
  ),
  mismatch(
    "the key of the other scheme, standard",
    standardSigned(`v1,${hmac(current, `${id}.${now}.${plain}`).toString("base64")}`),
  ),
  mismatch("both schemes, only the other's fits", {
    headers: { ...brand(plain, brandSignature(plain, other)), ...standard() },
  }),
  mismatch(
    "a hundred signatures, the last fits",
    brandSigned([...hundred(brandSignature(plain, other)), brandSignature()].join(",")),
  ),
  mismatch(
    "a hundred signatures, the last fits, standard",
    standardSigned([...hundred(standardSignature(plain, other)), standardSignature()].join(" ")),
  ),
  ...["", "whsec_", " ", "whsec_\n"].flatMap((secret) => [
    mismatch(`the secret ${JSON.stringify(secret)}, brand`, {
      ...brandSigned(brandSignature(plain, secret)),
      secrets: [secret],
    }),
    mismatch(`the secret ${JSON.stringify(secret)}, standard`, {
      ...standardSigned(standardSignature(plain, "whsec_")),
      secrets: [secret],
    }),
  ]),
]

const spellings = [
  ...[
    `sha256=${digits.toUpperCase()}`,
    `sha256=${digits.slice(1)}`,
    `sha256=${digits}0`,
    `sha256=${digits.slice(1)}g`,
    `sha256=0x${digits}`,
    `"sha256=${digits}"`,
    `sha256=${Buffer.from(digits, "hex").toString("base64")}`,
    `sha256=sha256=${digits}`,
  ].map((signature) => mismatch(`the signature ${signature}`, brandSigned(signature))),
  ...[
    `v1,${base64.slice(0, -1)}`,
    `v1,${base64}=`,
    `v1,${Buffer.from(base64, "base64").toString("base64url")}=`,
    `v1,${Buffer.from(base64, "base64").toString("hex")}`,
    `v1,!${base64.slice(1)}`,
    `v1,${base64.slice(0, -2)}${base64.at(-2) === "A" ? "B" : "A"}=`,
  ].map((signature) => mismatch(`the signature ${signature}`, standardSigned(signature))),
]

const bodies = [
  ...signedBut("empty", ""),
  ...signedBut("not JSON", "event=design.finalized"),
  ...signedBut("cut off", plain.slice(0, -1)),
  ...signedBut("after a byte order mark", `\ufeff${plain}`),
  ...signedBut("not UTF-8", Buffer.from(plain.replace("finalized", "\xff"), "latin1")),
  ...["null", "true", "1", '"event"', "[]", "{}", '{"event":null}', '{"event":["a"]}'].flatMap((text) =>
    signedBut(text, text),
  ),
]

export const vectors: readonly Vector[] = [...headers, ...timestamps, ...signatures, ...spellings, ...bodies]
