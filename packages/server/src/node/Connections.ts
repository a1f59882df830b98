/** The connections of a sender: each carries one request at a time, and is kept for the next one to its origin. */
import { constants } from "node:crypto"
import { buildConnector } from "undici"
import { Connection } from "./Connection.ts"
import { lookup, type Options } from "./Lookup.ts"

/** Milliseconds for which a connection is given out at all, so that a name which leads elsewhere now is followed there. */
const TTL_MS = 60_000
/** Connections kept that nobody uses at the moment. */
const IDLE_MAX = 1_024
/** Milliseconds that each address of a target gets before the next is tried. */
const NEXT_ADDRESS_MS = 2_500
/** TLS sessions kept, for quicker handshakes. */
const TLS_SESSIONS_MAX = 1_000

export interface Connections {
  /** A connection that is not in use: the one used last, or a new one where none is young enough or `fresh` asks for it. */
  readonly take: (origin: string, fresh: boolean) => Connection
  /** Takes a connection back: where its request was answered to the end, to be used again, and else to be closed. */
  readonly give: (connection: Connection, reusable: boolean) => void
  readonly destroy: () => void
}

/** undici's own pools look at each of their connections for every request; with hundreds to an origin that shows. */
export const make = (options: Options, ttl_ms: number = TTL_MS): Connections => {
  const connect = buildConnector({
    allowH2: false,
    timeout: options.timeout_ms,
    maxCachedSessions: TLS_SESSIONS_MAX,
    lookup: lookup(options),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    rejectUnauthorized: true,
    // Else a receiver could have one handshake after the other made on a single connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  const all = new Set<Connection>()
  const idle = new Map<string, Array<Connection>>()
  let idling = 0
  const isYoung = ({ opened_at }: Connection): boolean => performance.now() - opened_at <= ttl_ms

  const end = (connection: Connection): void => {
    all.delete(connection)
    connection.end()
  }

  /** Removes a connection from those that wait; answers whether it was one. */
  const remove = (connection: Connection): boolean => {
    const waiting = idle.get(connection.origin) ?? []
    const index = waiting.lastIndexOf(connection)
    if (index === -1) return false
    waiting.splice(index, 1)
    if (waiting.length === 0) idle.delete(connection.origin)
    idling -= 1
    return true
  }

  /** The connection used last of those that wait and are young enough. */
  const kept = (origin: string): Connection | undefined => {
    for (;;) {
      const waiting = idle.get(origin)
      const connection = waiting?.pop()
      if (connection === undefined) return undefined
      if (waiting?.length === 0) idle.delete(origin)
      idling -= 1
      if (isYoung(connection)) return connection
      end(connection)
    }
  }

  const open = (origin: string): Connection => {
    const connection = new Connection(origin, connect)
    all.add(connection)
    return connection.on("disconnect", () => {
      if (remove(connection)) end(connection)
    })
  }

  return {
    take: (origin, fresh) => (fresh ? undefined : kept(origin)) ?? open(origin),
    give: (connection, reusable) => {
      if (!reusable || !connection.isQuiet || idling >= IDLE_MAX || !isYoung(connection)) return end(connection)
      const waiting = idle.get(connection.origin)
      if (waiting === undefined) idle.set(connection.origin, [connection])
      else waiting.push(connection)
      idling += 1
    },
    destroy: () => {
      for (const connection of all) end(connection)
    },
  }
}
