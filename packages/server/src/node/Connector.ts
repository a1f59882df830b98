/** Connections to targets that are not trusted: a socket is opened to an address that was checked, and to no other. */
import type { LookupAddress, LookupOptions } from "node:dns"
import { callbackify } from "node:util"
import { Address } from "@tc/webhooks"
import { Agent, buildConnector, type Client, Pool } from "undici"
import { Connection } from "./Connection.ts"
import { Blocked, Unresolved } from "./Failure.ts"
import type { Resolve } from "./Resolver.ts"

export interface Options {
  readonly resolve: Resolve
  /** Allows all addresses. */
  readonly allow_private: boolean
  /** Milliseconds in which a connection is made, look-up included. */
  readonly timeout_ms: number
  /** Certificate authorities in PEM, instead of those that come with Node. */
  readonly ca?: string | undefined
}

/** Bytes of the answer's headers at most. */
const HEADERS_MAX_BYTES = 16 * 1024
/** Milliseconds for which an idle connection is kept: shorter than most receivers keep it; they can ask for more. */
const IDLE_MS = 4_000
const IDLE_MAX_MS = 60_000
/** Milliseconds for which a connection is used at all, so that a name which leads elsewhere now is followed there. */
const CONNECTION_TTL_MS = 60_000
/** Milliseconds that each address of a target gets before the next is tried. */
const NEXT_ADDRESS_MS = 2_500
/** TLS sessions kept, for quicker handshakes. */
const TLS_SESSIONS_MAX = 1_000

/** Refuses a name when any of its addresses is not public: a mixed answer is how a name is made to lead inside. */
const checked =
  ({ resolve, allow_private }: Options): Resolve =>
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
const lookup = (resolve: Resolve) => {
  const look = callbackify(resolve)
  return (
    hostname: string,
    { all }: LookupOptions,
    callback: (error: NodeJS.ErrnoException | null, address: string | Array<LookupAddress>, family?: number) => void,
  ): void =>
    look(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      if (first === undefined) callback(error, [])
      else if (all === true) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
}

/** An agent that keeps connections alive per origin, and never waits for a free one. `reuse: false` keeps none. */
export const makeAgent = (options: Options, reuse: boolean): Agent => {
  const connect = buildConnector({
    allowH2: false,
    timeout: options.timeout_ms,
    maxCachedSessions: TLS_SESSIONS_MAX,
    lookup: lookup(checked(options)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  const client: Client.Options = {
    allowH2: false,
    pipelining: reuse ? 1 : 0,
    // One deadline over the whole attempt takes the place of these.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADERS_MAX_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
  }
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        allowH2: false,
        clientTtl: CONNECTION_TTL_MS,
        factory: (url) => new Connection(url, client, connect),
      }),
  })
}
