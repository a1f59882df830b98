/** What is refused before the routes see it, each answer in the form of all others. */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { type RequestListener, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

/** A failure in the form of all others, where the routes cannot make it. */
const failure = (status: number, code: string, message: string) => {
  const request_id = randomUUID()
  const body = JSON.stringify({ error: STATUS_CODES[status], message, code, request_id })
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    "X-Request-Id": request_id,
  }
  return { headers, body }
}

/** Answers while the routes are being built: a request that came then would never be answered. */
export const early: RequestListener = (_, response) => {
  const { body, headers } = failure(503, "service_unavailable", "The service is starting; try again in a moment.")
  response.writeHead(503, { ...headers, "Retry-After": "1" }).end(body)
}

/** Node itself answers this without a word. */
export const unexpected: RequestListener = (_, response) => {
  const { body, headers } = failure(417, "malformed_request", "The only expectation that can be met is 100-continue.")
  response.writeHead(417, { ...headers, Connection: "close" }).end(body)
}

/** What Node refuses before there is a request; all else that it refuses is no HTTP. */
const refusals: { readonly [code: string]: readonly [status: number, message: string] } = {
  HPE_HEADER_OVERFLOW: [431, "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
}

export const unreadable = (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (!socket.writable || error.code === "ECONNRESET") return socket.destroy()
  const [status, message] = refusals[error.code ?? ""] ?? [400, "This is not an HTTP request."]
  const { body, headers } = failure(status, "malformed_request", message)
  const lines = Object.entries({ ...headers, Connection: "close" })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  return socket.end([...head, "", body].join("\r\n"))
}

/** HTTP/1.1 asks for a host with every request. Left to Node, this too would be refused without a word. */
export const layerHost = HttpRouter.middleware(
  (app) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const { headers, httpVersion } = NodeHttpServerRequest.toIncomingMessage(request)
      return headers.host === undefined && httpVersion !== "1.0" ? Effect.sync(hostless) : app
    }),
  { global: true },
)

const hostless = (): HttpServerResponse.HttpServerResponse => {
  const { body, headers } = failure(400, "malformed_request", "The request has no Host header.")
  return HttpServerResponse.text(body, { status: 400, headers: { ...headers, Connection: "close" } })
}
