/** An HTTP/1.1 connection that knows whether it has carried a request before. */
import { type buildConnector, Client, type Dispatcher } from "undici"
import type { Exchange } from "./Exchange.ts"

export class Connection extends Client {
  #requests = 0

  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    super(origin, {
      ...options,
      connect: (target, callback) => {
        this.#requests = 0
        connect(target, callback)
      },
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, exchange: Exchange): boolean {
    exchange.carrier = this
    return super.dispatch(options, exchange)
  }

  /** Counts one request more; answers whether others went before it. */
  begin(): boolean {
    this.#requests += 1
    return this.#requests > 1
  }
}
