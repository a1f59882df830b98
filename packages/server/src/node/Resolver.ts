/** Name look-ups that cannot hold each other up. */
import { lookup, Resolver as DnsResolver } from "node:dns/promises"

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name, the preferred first. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<ResolvedAddress>>

/** Milliseconds to wait for a name server, and how often to ask. */
const TIMEOUT_MS = 3_000
const TRIES = 3

/** What a name server answers that knows no such name, or where there is none: the system may know better. */
const UNKNOWN = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"])

const isLocal = (hostname: string): boolean => !hostname.includes(".") || /(^|\.)localhost\.?$/i.test(hostname)

const fromSystem: Resolve = (hostname) => lookup(hostname, { all: true })

/** Look-ups under way are shared: a burst of deliveries to one endpoint asks once. */
const shared = (resolve: Resolve): Resolve => {
  const under_way = new Map<string, ReturnType<Resolve>>()
  return (hostname) => {
    const known = under_way.get(hostname)
    if (known !== undefined) return known
    const answer = resolve(hostname).finally(() => under_way.delete(hostname))
    under_way.set(hostname, answer)
    return answer
  }
}

/**
 * Asks the name servers directly. The system's own look-up blocks one of the process's few threads until it is done, so
 * a handful of names whose servers are dead would stop every other; it is left to the names that only it knows: those
 * of this machine and its hosts file.
 */
export const make = (): Resolve => {
  const dns = new DnsResolver({ timeout: TIMEOUT_MS, tries: TRIES })
  return shared(async (hostname) => {
    if (isLocal(hostname)) return fromSystem(hostname)
    const [v4, v6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)])
    const found = [
      ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length > 0) return found
    if (v4.status === "rejected" && !UNKNOWN.has(v4.reason?.code)) throw v4.reason
    return fromSystem(hostname)
  })
}
