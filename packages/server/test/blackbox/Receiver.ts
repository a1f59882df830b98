/** A receiver of webhooks: it records what it is sent, and answers as it is told, path by path. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { Json } from "./Api.ts"

/** One POST as it arrived. */
export interface Seen {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Names in the case in which they were sent. */
  readonly headerNames: ReadonlyArray<string>
  /** All of it as it was sent, in its order. */
  readonly headerLines: ReadonlyArray<string>
  /** The body, byte for byte. */
  readonly text: string
  readonly body: Json
}

/** What to do with a POST; `nth` counts those of its delivery, from 1. */
export type Reply = (response: ServerResponse, nth: number, seen: Seen) => void

/** A path of the receiver. */
export interface Hook {
  readonly url: string
  readonly seen: Array<Seen>
  /** What came about a record, by its id. */
  readonly about: (id: string) => ReadonlyArray<Seen>
  /** Answers otherwise from now on. */
  reply: Reply
}

export interface Receiver {
  readonly hook: (reply?: Reply) => Hook
  readonly close: () => void
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    response.writeHead(code, headers).end("noted")

/** The first reply to the first attempt of a delivery, and so on; the last one stands for all that follow. */
export const inTurn =
  (...replies: ReadonlyArray<Reply>): Reply =>
  (response, nth, seen) =>
    replies[Math.min(nth, replies.length) - 1]?.(response, nth, seen)

export const never: Reply = () => {}

export const reset: Reply = (response) => response.socket?.resetAndDestroy()

const drip = (response: ServerResponse, start: string, drop: string) => {
  const { socket } = response
  socket?.write(start)
  const timer = setInterval(() => socket?.write(drop), 50)
  socket?.on("close", () => clearInterval(timer))
}

/** One header after the other, and never the end of them. */
export const dripHeaders: Reply = (response) => drip(response, "HTTP/1.1 200 OK\r\n", "X-Drop: 1\r\n")

/** An answer at once, and a body without end. */
export const dripBody: Reply = (response) =>
  drip(response, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "drop ")

/** A hook whose POSTs wait for an answer until `answer` gives it, to those that have come and to all that come later. */
export const held = (receiver: Receiver): { readonly hook: Hook; readonly answer: (reply: Reply) => void } => {
  const waiting: Array<(reply: Reply) => void> = []
  const hook = receiver.hook((...arrived) => void waiting.push((reply) => reply(...arrived)))
  return {
    hook,
    answer: (reply) => {
      hook.reply = reply
      for (const give of waiting.splice(0)) give(reply)
    },
  }
}

export const listen = async (): Promise<Receiver> => {
  const hooks = new Map<string, Hook>()
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { method = "", headers, rawHeaders, url = "" } = request
    const headerNames = rawHeaders.filter((_, index) => index % 2 === 0)
    const headerLines = headerNames.map((name, index) => `${name}: ${rawHeaders[2 * index + 1]}`)
    const take = (text: string) => {
      const hook = hooks.get(url)
      if (hook === undefined) return void response.writeHead(404).end()
      const seen = { at: Date.now(), method, headers, headerNames, headerLines, text, body: JSON.parse(text) }
      hook.seen.push(seen)
      return hook.reply(response, hook.seen.filter(({ body }) => body.id === seen.body.id).length, seen)
    }
    // A sender that hangs up in the middle has sent nothing.
    text(request).then(take, () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    hook: (reply = status(204)) => {
      const path = `/hooks/${hooks.size + 1}`
      const seen: Array<Seen> = []
      const about = (id: string) => seen.filter(({ body }) => body.data.id === id)
      const hook: Hook = { url: `http://127.0.0.1:${port}${path}`, seen, about, reply }
      hooks.set(path, hook)
      return hook
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A port of this machine where nobody listens: none that another test may be given meanwhile. */
export const CLOSED_PORT = 1
