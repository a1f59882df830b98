/** A way to a server that can be cut: for what happens when the database is out of reach. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface Proxy {
  readonly port: number
  /** Ends all connections, and refuses new ones. */
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => void
}

export const to = async (target: { readonly host: string; readonly port: number }): Promise<Proxy> => {
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) return near.resetAndDestroy()
    const far = connect(target.port, target.host)
    keep(far)
    near.pipe(far).on("close", () => near.destroy())
    return far.pipe(near).on("close", () => far.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const end = () => sockets.forEach((socket) => socket.resetAndDestroy())
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      end()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      end()
      server.close()
    },
  }
}
