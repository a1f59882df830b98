/** Name look-ups that cannot hold each other up. */
import { lookup, Resolver as DnsResolver } from "node:dns/promises"

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name, the preferred first. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<ResolvedAddress>>

/** Milliseconds to wait for a name server, twice that the second time, and how often to ask. */
const TIMEOUT_MS = 3_000
const TRIES = 2

/** What a name server answers that knows no such name, or where there is none: the system may know better. */
const UNKNOWN = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"])

const isLocal = (hostname: string): boolean => !hostname.includes(".") || /(^|\.)localhost\.?$/i.test(hostname)

/** The two ways to find out the addresses of a name. */
export interface Sources {
  /** Asks the name servers for addresses of one family. */
  readonly ask: (hostname: string, family: 4 | 6) => Promise<ReadonlyArray<string>>
  /** Asks the system. */
  readonly system: Resolve
}

/** Those of this machine. */
const sources = (): Sources => {
  const dns = new DnsResolver({ timeout: TIMEOUT_MS, tries: TRIES })
  return {
    ask: (hostname, family) => (family === 4 ? dns.resolve4(hostname) : dns.resolve6(hostname)),
    system: (hostname) => lookup(hostname, { all: true }),
  }
}

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
export const make = ({ ask, system }: Sources = sources()): Resolve =>
  shared(async (hostname) => {
    if (isLocal(hostname)) return system(hostname)
    const families = [4, 6] as const
    const answers = await Promise.allSettled(families.map((family) => ask(hostname, family)))
    const found = answers.flatMap((answer, index) =>
      answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family: families[index] ?? 4 })) : [],
    )
    if (found.length > 0) return found
    const failed = answers.find((answer) => answer.status === "rejected" && !UNKNOWN.has(answer.reason?.code))
    if (failed?.status === "rejected") throw failed.reason
    return system(hostname)
  })
