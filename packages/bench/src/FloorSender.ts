/** The floor's sender: a cached signing key and one keep-alive POST through an undici Pool per origin. */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Pool } from "undici"

/** Where deliveries go, with what makes each POST cheap. */
export interface Endpoint {
  readonly pool: Pool
  readonly path: string
  readonly key: KeyObject
}

/** What one attempt came to. */
export interface Result {
  readonly delivery: string
  readonly startedAt: string
  /** Milliseconds. */
  readonly duration: number
  readonly status: number
  /** The beginning of the response's body. */
  readonly excerpt: string
}

const pools = new Map<string, Pool>()
/** Sockets per origin. */
const connections = 64
/** The longest wait for headers and between two pieces of the body, in milliseconds. */
const timeout = 30_000

/** Prepares an endpoint: one key object per secret and one pool per origin, used for every delivery. */
export const endpoint = (address: string, secret: string): Endpoint => {
  const { origin, pathname } = new URL(address)
  const pool = pools.get(origin) ?? new Pool(origin, { connections, headersTimeout: timeout, bodyTimeout: timeout })
  pools.set(origin, pool)
  return { pool, path: pathname, key: createSecretKey(secret, "utf8") }
}

/** Signs and POSTs `body`; rejects when there is no answer. */
export const send = ({ pool, path, key }: Endpoint, event: string, delivery: string, body: Buffer): Promise<Result> => {
  const startedAt = new Date()
  const timestamp = String(Math.floor(startedAt.getTime() / 1000))
  const signature = createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex")
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhooks/1.0",
    "X-Service-Event": event,
    "X-Service-Delivery": delivery,
    "X-Service-Timestamp": timestamp,
    "X-Service-Signature": `sha256=${signature}`,
  }
  return new Promise((resolve, reject) => {
    let status = 0
    let excerpt = ""
    pool.dispatch(
      { method: "POST", path, headers, body },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, code) => {
          status = code
        },
        onResponseData: (_controller, chunk) => {
          if (excerpt.length < 1024) excerpt += chunk.toString("latin1")
        },
        onResponseEnd: () => {
          const duration = Date.now() - startedAt.getTime()
          resolve({ delivery, startedAt: startedAt.toISOString(), duration, status, excerpt })
        },
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}
