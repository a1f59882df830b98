/** A way to a server that can be cut, or fall silent: for what happens when the database is out of reach. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface Proxy {
  readonly port: number
  /** Ends all connections, and refuses new ones. */
  readonly cut: () => void
  /** Loses all that is sent from now on, without a word: connections stay open, and new ones are taken. */
  readonly hang: () => void
  /** Serves new connections again. Those that have lost something stay as they are. */
  readonly mend: () => void
  readonly close: () => void
}

export const to = async (target: { readonly host: string; readonly port: number }): Promise<Proxy> => {
  const sockets = new Set<Socket>()
  let state: "open" | "cut" | "hung" = "open"
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (state === "cut") return near.resetAndDestroy()
    const far = connect(target.port, target.host)
    keep(far)
    let isLost = false
    const pass = (from: Socket, to: Socket) =>
      from
        .on("data", (bytes) => {
          isLost ||= state === "hung"
          if (!isLost) to.write(bytes)
        })
        .on("close", () => to.destroy())
    pass(near, far)
    return pass(far, near)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const end = () => sockets.forEach((socket) => socket.resetAndDestroy())
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = "cut"
      end()
    },
    hang: () => {
      state = "hung"
    },
    mend: () => {
      state = "open"
    },
    close: () => {
      end()
      server.close()
    },
  }
}
