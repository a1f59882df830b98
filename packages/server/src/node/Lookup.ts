/** The look-up behind a connection to a target that is not trusted: it gives checked addresses, or none. */
import type { LookupAddress, LookupOptions } from "node:dns"
import { callbackify } from "node:util"
import { Address } from "@tc/webhooks"
import { Blocked, Unresolved } from "./Failure.ts"
import type { Resolve } from "./Resolver.ts"

/** Addresses of a name that are tried: a receiver could name thousands, of others. */
const ADDRESSES_MAX = 8

export interface Options {
  readonly resolve: Resolve
  /** Allows all addresses. */
  readonly allow_private: boolean
  /** Milliseconds in which a connection is made, look-up included. */
  readonly timeout_ms: number
  /** Certificate authorities in PEM, instead of those that come with Node. */
  readonly ca?: string | undefined
}

/** Refuses a name when any of its addresses is not public: a mixed answer is how a name is made to lead inside. */
export const checked =
  ({ resolve, allow_private }: Pick<Options, "resolve" | "allow_private">): Resolve =>
  async (hostname) => {
    const addresses = await resolve(hostname).catch((cause: unknown) => {
      throw new Unresolved(`${hostname} could not be resolved`, { cause })
    })
    if (addresses.length === 0) throw new Unresolved(`${hostname} has no address`)
    if (!allow_private && !addresses.every(({ address }) => Address.isPublic(address))) {
      throw new Blocked(`${hostname} leads to an address that is not public`)
    }
    return addresses
  }

/** The look-up of `net.connect`, which then connects to what it is given and asks no one else. */
export const lookup = (options: Options) => {
  const look = callbackify(checked(options))
  return (
    hostname: string,
    { all }: LookupOptions,
    callback: (error: NodeJS.ErrnoException | null, address: string | Array<LookupAddress>, family?: number) => void,
  ): void =>
    look(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      if (first === undefined) callback(error, [])
      else if (all === true) callback(null, addresses.slice(0, ADDRESSES_MAX))
      else callback(null, first.address, first.family)
    })
}
