/** A program that is all hostile receivers at once, so that what they do costs their own process. It ends with its input. */
import { createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import * as Hostile from "./Hostile.ts"

const listen = ([, , behaviour]: Hostile.Case) =>
  new Promise<number>((resolve) => {
    const server = createServer((socket: Socket) => {
      socket.on("error", () => {}).once("data", () => behaviour(socket))
    })
    server.listen(0, "127.0.0.1", 4_096, () => resolve((server.address() as AddressInfo).port))
  })

process.stdout.write(`${JSON.stringify(await Promise.all(Hostile.all.map(listen)))}\n`)
process.stdin.resume().on("end", () => process.exit())
