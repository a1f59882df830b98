/** Receivers for tests: real servers on this machine, from the well-behaved to the hostile. They end with their scope. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createHttpsServer, type ServerOptions } from "node:https"
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const certificateFile = (name: string): string => fileURLToPath(new URL(`certificates/${name}`, import.meta.url))
const certificate = (name: string): string => readFileSync(certificateFile(name), "utf8")

/** Whether this machine has IPv6 at all: without it nobody can say what becomes of attempts by it. */
export const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"))

/** The authority that signed the certificates of `https` servers. */
export const authority: string = certificate("authority.pem")

/** A server, listening on a port of its own. */
export const listen = (server: Server, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      server.on("connection", (socket) => {
        sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)))
      })
      server.listen(0, host)
      await once(server, "listening")
      const close = () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      return { port: (server.address() as AddressInfo).port, server, close }
    }),
    ({ close }) => Effect.sync(close),
  )

/** A server that speaks HTTP as it should. */
export const http = (
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  host = "127.0.0.1",
) =>
  listen(
    createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      text(request).then(
        (body) => answer(request, response, body),
        () => {},
      )
    }),
    host,
  )

/** The certificates there are for `receiver.test`: a good one, one that has expired, and one that nobody signed. */
export type Certificate = "receiver" | "expired" | "self-signed"

/** A certificate, with its key. */
export const certified = (name: Certificate) => ({ cert: certificate(`${name}.pem`), key: certificate("receiver.key") })

/** What answers a request. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A server with a certificate. */
export const https = (name: Certificate, answer: Answering, options: ServerOptions = {}) =>
  listen(
    createHttpsServer({ ...certified(name), ...options }, (request, response) => {
      request.resume().on("end", () => answer(request, response))
    }),
  )

/** A server that gives out so many sessions after each handshake, and then says nothing. */
export const sessions = (count: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const listening = ["-accept", "127.0.0.1:0", "-tls1_3", "-num_tickets", String(count)]
      const certified = ["-cert", certificateFile("receiver.pem"), "-key", certificateFile("receiver.key")]
      const child = spawn("openssl", ["s_server", ...listening, ...certified], { stdio: ["pipe", "pipe", "ignore"] })
      for await (const line of createInterface(child.stdout)) {
        const port = /^ACCEPT .*:(\d+)$/.exec(line)?.[1]
        if (port !== undefined) return { child, port: Number(port) }
      }
      throw new Error("openssl does not listen")
    }),
    ({ child }) => Effect.sync(() => child.kill()),
  )

/** A server that does with each connection what it likes, once the first bytes have come. */
export const tcp = (onRequest: (socket: Socket, connection: number) => unknown) => {
  let connections = 0
  return listen(
    createServer((socket) => {
      const connection = ++connections
      socket.once("data", () => onRequest(socket, connection))
    }),
  )
}

/** A port that takes no connection and refuses none: its backlog is full, and its process sleeps. */
export const blackHole = Effect.acquireRelease(
  Effect.promise(async () => {
    const code = `require("net").createServer().listen(0, "127.0.0.1", 1, function () {
      process.stdout.write(String(this.address().port), () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    })`
    const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] })
    const [chunk] = await once(child.stdout, "data")
    const port = Number(chunk)
    const fill = Array.from({ length: 8 }, () => createConnection(port, "127.0.0.1").on("error", () => {}))
    return { port, close: () => void (fill.forEach((socket) => socket.destroy()), child.kill("SIGKILL")) }
  }),
  ({ close }) => Effect.sync(close),
)
