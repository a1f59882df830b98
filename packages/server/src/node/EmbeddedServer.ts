/** The server process on an embedded cluster: one at most, whichever process of ours started it. */
import { Effect, Option } from "effect"
import { execFile } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Cluster from "./EmbeddedCluster.ts"
import type { EmbeddedPostgresError } from "./EmbeddedLauncher.ts"

/** What `postmaster.pid` says. `stale`: left behind by a server that is gone; its pid is nobody's or somebody else's. */
export interface Server {
  readonly pid: number
  readonly port: number
  readonly status: "starting" | "ready" | "stopping" | "stale"
}

const logLimitBytes = 4 * 1024 * 1024

/** The server on this cluster; undefined where there is no trace of one. */
export const get = (cluster: Cluster.Cluster): Effect.Effect<Server | undefined, EmbeddedPostgresError> =>
  Cluster.io(async () => {
    const file = join(cluster.directory, "postmaster.pid")
    const text = await unlessMissing(fs.readFile(file, "utf8"))
    if (text === undefined) return undefined
    if (text === "") return emptied(file)
    const [pid, , , port, , , , status = ""] = text.split("\n")
    const known = (["ready", "stopping"] as const).find((word) => word === status.trim()) ?? "starting"
    const own = await runsOn(cluster.directory, Number(pid))
    return { pid: Number(pid), port: Number(port), status: own ? known : "stale" }
  })

const unlessMissing = <A>(promise: Promise<A>) =>
  promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })

/** PostgreSQL fills its pid file at once. If it was killed in between, it takes the empty file for a rival for ever. */
const emptied = async (file: string): Promise<Server | undefined> => {
  const found = await unlessMissing(fs.stat(file))
  const old = found !== undefined && found.size === 0 && Date.now() - found.mtimeMs > 10_000
  if (old) await fs.rm(file, { force: true })
  return old ? undefined : { pid: 0, port: 0, status: "starting" }
}

/** After a crash or a reboot the pid may be any process: ours has the directory in its command line. */
const runsOn = async (directory: string, pid: number): Promise<boolean> => {
  if (process.platform === "linux") {
    const command = await fs.readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
    return command.includes(`\0-D\0${directory}\0`)
  }
  const command = promisify(execFile)("ps", ["-ww", "-o", "args=", "-p", String(pid)])
  return (await command.catch(() => ({ stdout: "" }))).stdout.includes(` -D ${directory} `)
}

/**
 * Starts a server and waits until it is ready. PostgreSQL itself lets only one run on a directory, so a start may lose
 * against another process's, or against the remains of a killed server: then this gives the reason, and is worth a retry.
 */
export const start = Effect.fnUntraced(function* (cluster: Cluster.Cluster, stale: Server | undefined) {
  const { binaries, directory, durable, launcher } = cluster
  const settings = yield* Cluster.readSettings(cluster)
  const port = settings.port === 0 ? yield* freePort : settings.port
  if (port !== settings.port) yield* Cluster.writeSettings(cluster, directory, { ...settings, port })
  yield* own(cluster)
  const log = yield* openLog(cluster)
  const args = ["-D", directory, "-p", String(port), ...flags, ...Cluster.flags(durable)]
  // PostgreSQL would take any live process with the pid in its file for a rival, unless it is its grandparent.
  const env = stale === undefined ? {} : { PG_GRANDPARENT_PID: String(stale.pid) }
  const { ended } = yield* launcher
    .start(binaries.postgres, args, log.descriptor, env)
    .pipe(Effect.mapError((error) => Cluster.failed("start", error.message)))
  const exit = Effect.asSome(Effect.promise(() => ended))
  const code = yield* Effect.raceFirst(Effect.as(waitUntilReady(cluster), Option.none()), exit)
  if (Option.isNone(code)) return undefined
  const reason = yield* log.tail
  const portTaken = reason.includes("Address already in use")
  if (portTaken) yield* Cluster.writeSettings(cluster, directory, { ...settings, port: 0 })
  // Killed, or stopped by another process that joined and left before we saw it ready: neither speaks against a retry.
  const interrupted = code.value === null || code.value === 0
  const rival = /lock file|shared memory block/.test(reason)
  return portTaken || interrupted || rival ? reason : yield* Cluster.failed("start", reason)
}, Effect.scoped)

const flags = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "log_checkpoints=off", "log_min_messages=log"]
  // Failed statements are their caller's to report, and would put its data into the log.
  .flatMap((setting) => ["-c", setting])

/** A port that nobody uses at the moment. */
const freePort: Effect.Effect<number, EmbeddedPostgresError> = Cluster.io(async () => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  return typeof address === "object" && address !== null ? address.port : 0
})

/** A directory that was copied, or last used in another way, may belong to somebody else than the server-to-be. */
const own = Effect.fnUntraced(function* ({ directory, launcher: { owner } }: Cluster.Cluster) {
  if (owner === undefined || (yield* Cluster.io(() => fs.stat(directory))).uid === owner.uid) return
  yield* Cluster.io(() => promisify(execFile)("chown", ["-R", "-h", `${owner.uid}:${owner.gid}`, directory]))
})

/** The log, open for a server to append to, and what comes to stand in it from now on. */
const openLog = Effect.fnUntraced(function* (cluster: Cluster.Cluster) {
  yield* trimLog(cluster)
  const file = join(cluster.directory, "postgres.log")
  const handle = yield* Effect.acquireRelease(
    Cluster.io(() => fs.open(file, "a", 0o600)),
    (open) => Effect.promise(() => open.close()),
  )
  yield* Cluster.give(cluster, file)
  const { size } = yield* Cluster.io(() => handle.stat())
  const tail = Cluster.io(async () => (await fs.readFile(file)).subarray(size).toString().slice(-2000))
  return { descriptor: handle.fd, tail }
})

/** Keeps at most two logs of a few megabytes each; PostgreSQL appends, so it goes on at the new end. */
export const trimLog = Effect.fnUntraced(function* (cluster: Cluster.Cluster) {
  const log = join(cluster.directory, "postgres.log")
  const found = yield* Cluster.io(() => unlessMissing(fs.stat(log)))
  if (found === undefined || found.size < logLimitBytes) return
  // Not copyFile: it never ends when another process truncates the log meanwhile, for it waits for bytes that are gone.
  yield* Cluster.io(async () => fs.writeFile(`${log}.old`, await fs.readFile(log), { mode: 0o600 }))
  yield* Cluster.give(cluster, `${log}.old`)
  yield* Cluster.io(() => fs.truncate(log))
})

const pollInterval = "20 millis"

const waitUntilReady = (cluster: Cluster.Cluster) =>
  get(cluster).pipe(Effect.delay(pollInterval), Effect.repeat({ until: (server) => server?.status === "ready" }))

/** Asks the server to end at once but in order (its fast shutdown), and waits until it has. */
export const stop = Effect.fnUntraced(function* (cluster: Cluster.Cluster, { pid }: Server) {
  yield* Cluster.io(async () => process.kill(pid, "SIGINT"))
  yield* get(cluster).pipe(
    Effect.delay(pollInterval),
    Effect.repeat({ until: (server) => server === undefined || server.pid !== pid || server.status === "stale" }),
  )
})
