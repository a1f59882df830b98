/** The receiver of the benchmarks: answers 200 at once, counts distinct deliveries and checks the last one. */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import * as Child from "./Child.ts"

/** What the receiver saw since it was reset. */
export interface Seen {
  readonly requests: number
  /** How many different delivery ids came. */
  readonly deliveries: number
  /** What is wrong with the last delivery, or null. */
  readonly fault: string | null
}

let secrets: ReadonlyArray<string> = []
let requests = 0
let ids = new Set<string>()
let last: { readonly path: string; readonly headers: IncomingMessage["headers"]; readonly body: string } | undefined

const receive = (request: IncomingMessage, body: string) => {
  requests += 1
  const { url, headers } = request
  ids.add(String(headers["x-service-delivery"]))
  last = { path: url ?? "", headers, body }
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

const methods = {
  /** Opens a port on 127.0.0.1 and answers its origin; endpoint number n is at path `/n`. */
  listen: async (): Promise<string> => {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      let body = ""
      request.setEncoding("utf8")
      request.on("data", (chunk: string) => (body += chunk))
      request.on("end", () => {
        receive(request, body)
        response.end("ok")
      })
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    return `http://127.0.0.1:${address.port}`
  },
  /** Forgets what it saw; `next` are the signing secrets of the endpoints, in the order of their paths. */
  reset: async (next: ReadonlyArray<string>): Promise<void> => {
    secrets = next
    requests = 0
    ids = new Set()
    last = undefined
  },
  seen: async (): Promise<Seen> => ({ requests, deliveries: ids.size, fault: fault() }),
}

/** A receiver in its own process. */
export type Receiver = Child.Child<typeof methods>

if (process.argv[1] === import.meta.filename) Child.expose(methods)

/** Starts a receiver as a child of this process. */
export const start = (): Receiver => Child.start(import.meta.url)
