/** Stands before a PostgreSQL and cuts a connection at the worst moment: the statement has been run, its answer is lost. */
import { Effect } from "effect"
import { connect, createServer, type AddressInfo } from "node:net"

/** Answers its address, and how to have it cut the connection that next sends a text, once, before the answer passes. */
export const before = (url: string) =>
  Effect.gen(function* () {
    const target = new URL(url)
    let sought: string | undefined
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname)
      let found = false
      client.on("data", (data) => {
        if (sought !== undefined && data.includes(sought)) {
          found = true
          sought = undefined
        }
        upstream.write(data)
      })
      upstream.on("data", (data) => {
        if (!found) return void client.write(data)
        client.destroy()
        upstream.destroy()
      })
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        one.on("error", () => other.destroy())
        one.on("close", () => other.destroy())
      }
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close()),
    )
    const address = new URL(url)
    address.hostname = "127.0.0.1"
    address.port = String((server.address() as AddressInfo).port)
    return { url: address.href, cut: (text: string) => void (sought = text) }
  })
