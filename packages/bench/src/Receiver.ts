/** The receiver of the benchmarks: answers 200, at once unless told otherwise, notes when each delivery came and checks the last one. */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import * as Child from "./Child.ts"
import * as Clock from "./Clock.ts"
import type { Received } from "./Ledger.ts"
import * as Payload from "./Payload.ts"

/** What the receiver saw since it started. */
export interface Seen extends Received {
  /** What is wrong with the last delivery, or null. */
  readonly fault: string | null
}

/** Requests in the order in which they came, in columns. */
export interface Arrived {
  /** Numbers of events. */
  readonly events: Float64Array
  /** Numbers of endpoints. */
  readonly endpoints: Float64Array
  /** When the body was complete, by `Clock`. */
  readonly at: Float64Array
}

/** More endpoints than there ever are. */
const ENDPOINTS_MAX = 100_000
/** The path under which nothing is ever answered. */
export const SILENT = "/silent"

let secrets: ReadonlyArray<string> = []
let requests = 0
const ids = new Set<string>()
const pairs = new Set<number>()
let events: Array<number> = []
let endpoints: Array<number> = []
let at: Array<number> = []
/** Milliseconds until a request is answered. */
let pace = 0
let last: { readonly path: string; readonly headers: IncomingMessage["headers"]; readonly body: string } | undefined

const receive = ({ url: path = "", headers }: IncomingMessage, body: string) => {
  at.push(Clock.now())
  requests += 1
  const event = Payload.numberOf(body)
  const endpoint = Number(path.slice(1))
  events.push(event)
  endpoints.push(endpoint)
  ids.add(String(headers["x-service-delivery"]))
  pairs.add(event * ENDPOINTS_MAX + endpoint)
  last = { path, headers, body }
}

/** The last request must be signed with the secret of the endpoint whose number is its path, over its own id. */
const fault = (): string | null => {
  if (last === undefined) return "nothing came"
  const { path, headers, body } = last
  const hmac = createHmac("sha256", secrets[Number(path.slice(1))] ?? "")
  const signature = `sha256=${hmac.update(`${String(headers["x-service-timestamp"])}.${body}`).digest("hex")}`
  if (headers["x-service-signature"] !== signature) return "wrong signature"
  const envelope: { readonly id?: unknown } = JSON.parse(body)
  return envelope.id === headers["x-service-delivery"] ? null : "the body's id is not the header's"
}

/** Opens a port on 127.0.0.1. */
const listen = async (): Promise<string> => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    let body = ""
    request.setEncoding("utf8")
    request.on("data", (chunk: string) => (body += chunk))
    request.on("end", () => {
      if (request.url?.startsWith(SILENT) === true) return
      receive(request, body)
      if (pace === 0) response.end("ok")
      else setTimeout(() => response.end("ok"), pace)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return `http://127.0.0.1:${address.port}`
}

const methods = {
  /** Opens so many ports and answers their origins; endpoint number n is at path `/n`, of whichever. */
  listen: (origins: number): Promise<ReadonlyArray<string>> =>
    Promise.all(Array.from({ length: origins }, () => listen())),
  /** From now on the endpoints have these signing secrets, in the order of their paths. */
  expect: async (next: ReadonlyArray<string>): Promise<void> => {
    secrets = next
    last = undefined
  },
  /** From now on it answers after so many milliseconds. */
  pace: async (millis: number): Promise<void> => {
    pace = millis
  },
  seen: async (): Promise<Seen> => ({ requests, deliveries: ids.size, pairs: pairs.size, fault: fault() }),
  /** What came since this was asked the last time. */
  arrived: async (): Promise<Arrived> => {
    const columns = {
      events: new Float64Array(events),
      endpoints: new Float64Array(endpoints),
      at: new Float64Array(at),
    }
    events = []
    endpoints = []
    at = []
    return columns
  },
}

/** A receiver in its own process. */
export type Receiver = Child.Child<typeof methods>

if (process.argv[1] === import.meta.filename) Child.expose(methods)

/** Starts a receiver as a child of this process. */
export const start = (): Receiver => Child.start(import.meta.url)
