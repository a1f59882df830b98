/**
 * Receives webhooks with Node alone: verify the bytes as they came, let the event's name narrow its data, do the work of a
 * delivery once. Run it with the secret of your endpoint: `WEBHOOK_SECRET=whsec_… npm run receiver`.
 */
import { createServer, type IncomingMessage, type Server } from "node:http"
import { arrayBuffer } from "node:stream/consumers"
import { type Design, verify } from "@tc/webhooks/verify"

/** No delivery is larger. */
const BODY_MAX_BYTES = 16 * 1024 * 1024

export const make = (secret: string, print: (design: Design) => void): Server => {
  /** Delivery ids. In earnest: a table with a unique key, written in one transaction with the work. */
  const done = new Set<string>()

  const receive = async (request: IncomingMessage) => {
    if (request.method !== "POST") return 405
    let size = 0
    // What is too much is read and dropped, for nobody hears an answer while still sending.
    const body = async function* () {
      for await (const chunk of request) if ((size += chunk.length) <= BODY_MAX_BYTES) yield chunk
    }
    // Where the headers are missing or too old, the body is not even read.
    const result = await verify({ headers: request.headers, arrayBuffer: () => arrayBuffer(body()) }, secret)
    if (size > BODY_MAX_BYTES) return 413
    if (!result.ok) return 401
    const { event } = result
    if (done.has(event.id)) return 200
    if (event.event === "design.finalized") print(event.data)
    done.add(event.id)
    return 204
  }

  // Whatever is not answered with 2xx is sent again: a failure here loses nothing.
  return createServer(async (request, response) => response.writeHead(await receive(request).catch(() => 500)).end())
}

if (process.argv[1] === import.meta.filename) {
  const { WEBHOOK_SECRET } = process.env
  if (WEBHOOK_SECRET === undefined) throw new Error("Set WEBHOOK_SECRET to the secret of your endpoint.")
  const server = make(WEBHOOK_SECRET, ({ id }) => console.log(`verified, to the printer: design ${id}`))
  server.listen(3001, "127.0.0.1", () => console.log("waiting for webhooks on http://127.0.0.1:3001"))
}
