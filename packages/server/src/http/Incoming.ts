/** The request at hand, as the server keeps track of it from the first middleware to the last line of its log. */
import { Id } from "@tc/domain"
import { Context } from "effect"
import type { HttpServerRequest } from "effect/http"
import { system } from "./Methods.ts"

export interface Incoming {
  /** The caller's `X-Request-Id` where it is sane, else a new UUIDv7. */
  readonly id: string
  /** The path with its parameters' names: what metrics count under. */
  route: string
  /** Whose key it carries, once that is known. */
  account_id: Id.AccountId | null
}

/** The request at hand. Outside of one it has no id. */
export const Incoming = Context.Reference<Incoming>("@tc/server/Incoming", {
  defaultValue: (): Incoming => ({ id: "", route: UNMATCHED, account_id: null }),
})

/** The route of a request that no route takes. */
export const UNMATCHED = "unmatched"

/** Operations of the contract enter theirs when they are found. */
const systemPaths = new Set<string>(Object.values(system))

const SANE = /^[A-Za-z0-9._-]{1,128}$/
const RANDOM_BYTES = 10

/** A request that arrived at `now`, in milliseconds since 1970. */
export const begin = ({ headers, url }: HttpServerRequest.HttpServerRequest, now: number): Incoming => {
  const given = headers["x-request-id"]
  const id = given !== undefined && SANE.test(given) ? given : newId(now)
  return { id, route: systemPaths.has(url) ? url : UNMATCHED, account_id: null }
}

/** Random bytes for many ids: a call for them costs far more than they do. */
const pool = new Uint8Array(RANDOM_BYTES * 400)
let offset = pool.length

/** A new UUIDv7. */
export const newId = (now: number): string => {
  if (offset === pool.length) {
    crypto.getRandomValues(pool)
    offset = 0
  }
  return Id.uuidV7(now, pool.subarray(offset, (offset += RANDOM_BYTES)))
}
