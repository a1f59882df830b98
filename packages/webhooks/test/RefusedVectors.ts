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
  ...Object.entries({
    empty: "",
    "without its prefix": digits,
    "with nothing after its prefix": "sha256=",
    "in upper case": `sha256=${digits.toUpperCase()}`,
    "one digit short": `sha256=${digits.slice(1)}`,
    "one digit long": `sha256=${digits}0`,
    "with a digit that is none": `sha256=${digits.slice(1)}g`,
    "of another algorithm": `sha1=${digits.slice(24)}`,
    quoted: `"sha256=${digits}"`,
  }).map(([name, signature]) => refused("malformed_header", `a signature ${name}, brand`, brandSigned(signature))),
  ...Object.entries({
    empty: "",
    "without its version": base64,
    "with nothing after its version": "v1,",
    "of another version": `v1a,${base64}`,
    "without padding": `v1,${base64.slice(0, -1)}`,
    "with padding twice": `v1,${base64}=`,
    "in the alphabet for URLs": `v1,${"_-".repeat(21)}_=`,
    "with a character that is none": `v1,${"!".repeat(43)}=`,
  }).map(([name, signature]) =>
    refused("malformed_header", `a signature ${name}, standard`, standardSigned(signature)),
  ),
  ...[
    "",
    " ",
    "now",
    "-1",
    "+1767225600",
    "1767225600.0",
    "1e9",
    "0x1",
    "1767225600, 1767225600",
    "١٧٦٧٢٢٥٦٠٠",
  ].flatMap((at) => [
    refused("malformed_header", `the timestamp "${at}", brand`, { headers: brand(plain, undefined, at) }),
    refused("malformed_header", `the timestamp "${at}", standard`, { headers: standard(plain, undefined, at) }),
  ]),
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

export const vectors: readonly Vector[] = [...headers, ...timestamps, ...signatures, ...bodies]
