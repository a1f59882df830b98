/** Which IP addresses a webhook may be sent to: the public ones only. */

/** What an address is for. `translated` ones carry an IPv4 address inside, and lead wherever that one leads. */
export type Kind =
  | "public"
  | "unspecified"
  | "private"
  | "shared"
  | "loopback"
  | "link-local"
  | "multicast"
  | "broadcast"
  | "documentation"
  | "benchmarking"
  | "translated"
  | "metadata"
  | "reserved"
  | "unreadable"

/**
 * All that is not public, most specific first: the special-purpose registries of IANA whole, whether they call a block
 * reachable or not, then multicast, the rest of IPv6 outside 2000::/3, and the metadata service that has a public address.
 */
const ranges: ReadonlyArray<readonly [range: string, kind: Kind]> = [
  ["0.0.0.0/8", "unspecified"], // "this network", RFC 791
  ["10.0.0.0/8", "private"], // RFC 1918
  ["100.64.0.0/10", "shared"], // carrier-grade NAT, RFC 6598; metadata at Alibaba
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "metadata"], // Azure
  ["169.254.0.0/16", "link-local"], // metadata at most others
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"], // IETF protocol assignments, RFC 6890; metadata at Oracle
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "reserved"], // AS112
  ["192.52.193.0/24", "reserved"], // multicast tunnels, RFC 7450
  ["192.88.99.0/24", "translated"], // 6to4 relays, RFC 7526
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "reserved"], // AS112
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["240.0.0.0/4", "reserved"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "translated"], // IPv4-compatible, RFC 4291
  ["::ffff:0:0/96", "translated"], // IPv4-mapped
  ["::ffff:0:0:0/96", "translated"], // IPv4-translated, RFC 2765
  ["64:ff9b::/96", "translated"], // NAT64, RFC 6052
  ["64:ff9b:1::/48", "translated"], // NAT64 of a local network, RFC 8215
  ["2001::/32", "translated"], // Teredo, RFC 4380
  ["2001:2::/48", "benchmarking"],
  ["2001::/23", "reserved"], // IETF protocol assignments, RFC 2928
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "translated"], // 6to4, RFC 3056
  ["2620:4f:8000::/48", "reserved"], // AS112
  ["3fff::/20", "documentation"], // RFC 9637
  ["fc00::/7", "private"], // unique local; metadata at Amazon and Google
  ["fe80::/10", "link-local"],
  ["fec0::/10", "private"], // site-local, RFC 3879
  ["ff00::/8", "multicast"],
  ["::/3", "reserved"], // what is not global unicast: discard (RFC 6666) and dummy (RFC 9780) prefixes,
  ["4000::/2", "reserved"], // SRv6 segment identifiers (RFC 9602),
  ["8000::/1", "reserved"], // and all that is set aside
]

/** What an address is for, read from its usual text: `192.0.2.1`, `2001:db8::1`, `::ffff:192.0.2.1`, `fe80::1%eth0`. */
export const kind = (text: string): Kind => {
  // A zone is the name of one of this machine's links, so no address with a zone leads out of it.
  if (text.includes("%")) return "link-local"
  const address = parse(text)
  if (address === undefined) return "unreadable"
  const inside = blocks.find(
    ({ network, host }) => network.size === address.size && network.value === address.value >> host,
  )
  return inside?.kind ?? "public"
}

/** Whether a webhook may be sent to this address. One that cannot be read is not public. */
export const isPublic = (text: string): boolean => kind(text) === "public"

/** Bits of an address: the first of its 32 or 128. */
interface Bits {
  readonly size: 32 | 128
  readonly value: bigint
}

/** Characters of the longest text of an address: six groups of four and four numbers of three. */
const maxLength = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length

/** What is longer is not even searched: that would take the square of its length. */
const parse = (text: string): Bits | undefined => {
  if (text.length > maxLength) return undefined
  return text.includes(":") ? parse6(text) : parse4(text)
}

/** Four decimal numbers, nothing shorter, octal or hexadecimal: what those mean differs from one reader to the next. */
const parse4 = (text: string): Bits | undefined => {
  const parts = text.split(".")
  const valid = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  return valid ? { size: 32, value: join(parts.map(Number), 8n) } : undefined
}

const parse6 = (text: string): Bits | undefined => {
  const halves = hexadecimal(text).split("::")
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")))
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  if (halves.length > 2 || (tail !== undefined && zeros < 1)) return undefined
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...(tail ?? [])]
  const valid = groups.length === 8 && groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
  return valid
    ? {
        size: 128,
        value: join(
          groups.map((group) => parseInt(group, 16)),
          16n,
        ),
      }
    : undefined
}

/** An IPv6 address with the dotted IPv4 address at its end, where it has one, as two groups like the others. */
const hexadecimal = (text: string): string =>
  text.replace(/[^:]*\.[^:]*$/, (dotted) => {
    const value = parse4(dotted)?.value
    return value === undefined ? dotted : `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  })

const join = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((value, part) => (value << bits) | BigInt(part), 0n)

/** The ranges, each as the bits its addresses start with and the number of bits after those. */
const blocks = ranges.map(([range, kind]) => {
  const [base = "", prefix] = range.split("/")
  const address = parse(base)
  if (address === undefined) throw new Error(`not a range of addresses: ${range}`)
  const host = BigInt(address.size - Number(prefix))
  return { kind, host, network: { size: address.size, value: address.value >> host } }
})
