/** An HTTP API under measurement: a server on 127.0.0.1 in a process of its own. */
import * as Child from "./Child.ts"
import type { Table } from "./Records.ts"

/** A listening server with what the benchmarks need to call it. */
export interface HttpApi {
  /** Its origin. */
  readonly url: string
  /** An API key with the scopes read and write. */
  readonly key: string
  /** The account of the key. */
  readonly account: string
  /** A store and a product of that account. */
  readonly store: string
  readonly product: string
  /** A second account, with its key and a store, for what one account's size must not do to another. */
  readonly other: { readonly key: string; readonly account: string; readonly store: string }
  /** The table of products, for `Records.fill`. */
  readonly products: Table
}

/** A contender: a module that exports this function by this name. The database is empty. */
export interface Contender {
  readonly makeHttpApi: (databaseUrl: string) => Promise<HttpApi>
}

const methods = {
  start: async (module: string, databaseUrl: string): Promise<HttpApi> => {
    const contender: Contender = await import(module)
    return contender.makeHttpApi(databaseUrl)
  },
}

if (process.argv[1] === import.meta.filename) Child.expose(methods)

/** A server in its own process. */
export interface Running extends HttpApi {
  readonly stop: () => Promise<void>
}

/** Starts a contender's server as a child of this process. */
export const start = async (module: string, databaseUrl: string): Promise<Running> => {
  const child = Child.start<typeof methods>(import.meta.url)
  return { ...(await child.call("start", module, databaseUrl)), stop: child.stop }
}
