/** A Redis for the peer that needs one: that of BENCH_REDIS_URL, else one that lasts as long as the run, where it is installed. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { Redis } from "ioredis"

export interface Running {
  readonly url: string
  readonly stop: () => Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Whether it answers within some seconds. */
const answers = async (url: string): Promise<boolean> => {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  client.on("error", () => {})
  for (let tries = 0; tries < 50; tries++) {
    try {
      await client.connect()
      await client.ping()
      client.disconnect()
      return true
    } catch {
      await setTimeout(100)
    }
  }
  return false
}

/** Starts one that appends to a file and syncs it every second, as BullMQ advises; null where there is no `redis-server`. */
export const start = async (): Promise<Running | null> => {
  const given = process.env["BENCH_REDIS_URL"]
  if (given !== undefined) return { url: given, stop: async () => {} }
  const dir = await mkdtemp(path.join(tmpdir(), "tc-bench-redis-"))
  const port = await freePort()
  const options = { "--port": port, "--bind": "127.0.0.1", "--dir": dir, "--appendonly": "yes", "--save": "" }
  const child = spawn("redis-server", Object.entries(options).flat().map(String), { stdio: "ignore" })
  process.once("exit", () => child.kill())
  const gone = once(child, "exit").catch(() => {})
  const stop = async () => {
    child.kill()
    await gone
    await rm(dir, { recursive: true, force: true })
  }
  const isThere = await once(child, "spawn").then(
    () => true,
    () => false,
  )
  const url = `redis://127.0.0.1:${port}`
  if (isThere && (await answers(url))) return { url, stop }
  await stop()
  return null
}
