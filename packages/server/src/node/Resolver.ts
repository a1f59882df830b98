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

/** Look-ups of the system at once: each holds one of the four threads that Node has for all that blocks, until it ends. */
const SYSTEM_MAX = 2
/** Milliseconds to wait for one, its turn included. */
const SYSTEM_MS = 5_000

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

/** Runs few look-ups at once. Who has waited too long is refused; the look-up itself cannot be stopped, and keeps its place. */
const bounded = (resolve: Resolve, limit_ms: number): Resolve => {
  const waiting = new Set<() => void>()
  let under_way = 0
  const next = (): void => {
    for (const start of waiting) {
      if (under_way >= SYSTEM_MAX) return
      waiting.delete(start)
      under_way += 1
      start()
    }
  }
  return (hostname) => {
    const { promise, resolve: answer, reject } = Promise.withResolvers<ReadonlyArray<ResolvedAddress>>()
    const start = () => {
      resolve(hostname)
        .then(answer, reject)
        .finally(() => {
          under_way -= 1
          next()
        })
    }
    const timer = setTimeout(() => {
      waiting.delete(start)
      reject(new Error(`The system did not look up ${hostname} within ${limit_ms} ms.`))
    }, limit_ms)
    waiting.add(start)
    next()
    return promise.finally(() => clearTimeout(timer))
  }
}

/**
 * Asks the name servers directly. The system's own look-up blocks one of the process's few threads until it is done, so
 * a handful of names whose servers are dead would stop every other; it is left to the names that only it knows, those
 * of this machine and its hosts file, and to few at a time, each for `system_ms` at most.
 */
export const make = ({ ask, system: own }: Sources = sources(), system_ms: number = SYSTEM_MS): Resolve => {
  const system = bounded(own, system_ms)
  return shared(async (hostname) => {
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
}
