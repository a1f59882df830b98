/** An HTTP/1.1 connection to one origin: opened when it is first needed, and opened again when it has been closed. */
import { type buildConnector, Client, type Dispatcher } from "undici"
import type { Exchange } from "./Exchange.ts"

/** Bytes of the answer's headers at most. */
const HEADERS_MAX_BYTES = 16 * 1024
/** Milliseconds for which an idle connection is kept: shorter than most receivers keep it; they can ask for more. */
const IDLE_MS = 4_000
const IDLE_MAX_MS = 60_000

const options: Client.Options = {
  allowH2: false,
  pipelining: 1,
  // One deadline over the whole attempt takes the place of these.
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: HEADERS_MAX_BYTES,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MAX_MS,
}

export class Connection extends Client {
  readonly origin: string
  /** When it was opened, in milliseconds of the monotonic clock. */
  opened_at = 0
  #requests = 0

  constructor(origin: string, connect: buildConnector.connector) {
    super(origin, {
      ...options,
      connect: (target, callback) => {
        this.#requests = 0
        this.opened_at = performance.now()
        connect(target, callback)
      },
    })
    this.origin = origin
  }

  override dispatch(request: Dispatcher.DispatchOptions, exchange: Exchange): boolean {
    exchange.carrier = this
    return super.dispatch(request, exchange)
  }

  /** Counts a request as it goes out; answers whether others went before it. */
  begin(): boolean {
    this.#requests += 1
    return this.#requests > 1
  }
}
