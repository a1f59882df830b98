import { createServer } from "node:net"
import { Effect, Layer } from "effect"
import { defaults, DeliverySettings } from "../../src/DeliverySettings.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import { Sender } from "../../src/Sender.ts"
process.on("uncaughtException", (e) => console.log("UNCAUGHT", e))
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
const server = createServer((socket) => {
  socket.on("error", () => {})
  socket.on("data", () => {
    const r = Math.random()
    if (r < 0.6) socket.write(ok)
    else if (r < 0.65) socket.resetAndDestroy()
    else if (r < 0.7) socket.end()
    else if (r < 0.75) socket.write("garbage\r\n\r\n")
    else if (r < 0.8) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(30000))
    else if (r < 0.85) socket.write(ok + ok)
    else if (r < 0.88) socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", () => socket.end())
    else if (r < 0.90) socket.write(ok, () => socket.end())
    else if (r < 0.92) { /* hang */ }
    else if (r < 0.94) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    else if (r < 0.96) socket.write("HTTP/1.1 100 Continue\r\n\r\n" + ok)
    else socket.write("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello")
  })
})
server.listen(0, "127.0.0.1", async () => {
  const port = (server.address() as any).port
  const counts = new Map<string, number>()
  const body = new TextEncoder().encode("x".repeat(1000))
  const t = performance.now()
  await Effect.runPromise(Effect.gen(function* () {
    const sender = yield* Sender
    yield* Effect.forEach(Array.from({ length: 20000 }), () => Effect.map(Effect.exit(sender.send({ url: `http://127.0.0.1:${port}/`, headers: {}, body })), (exit) => {
      const k = exit._tag === "Success" ? String(exit.value.status_code ?? exit.value.error) : "died " + String(exit.cause)
      counts.set(k, (counts.get(k) ?? 0) + 1)
    }), { concurrency: 200, discard: true })
    console.log(counts, Math.round(performance.now() - t), "ms", "handles", (process as any).getActiveResourcesInfo().reduce((m: any, k: string) => (m[k] = (m[k] ?? 0) + 1, m), {}))
    yield* Effect.sleep(5000)
    console.log("after idle", (process as any).getActiveResourcesInfo().reduce((m: any, k: string) => (m[k] = (m[k] ?? 0) + 1, m), {}))
  }).pipe(Effect.provide(UndiciSender.layer().pipe(Layer.provide(Layer.succeed(DeliverySettings, { ...defaults, allow_private: true, timeout_ms: 300 }))))) as any)
  server.close(); (server as any).unref()
  setTimeout(() => { console.log("end", (process as any).getActiveResourcesInfo()); process.exit() }, 500)
})
