/** A PostgreSQL of a test's own, which may be stopped, crash, freeze and run out of what it needs. */
import { Effect } from "effect"
import { appendFile, chmod, mkdtemp, rename, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Database from "../blackbox/Database.ts"
import { until } from "../blackbox/Until.ts"
import * as Cluster from "../../src/node/EmbeddedCluster.ts"
import * as Server from "../../src/node/EmbeddedServer.ts"

export interface Postgres {
  /** A database of its own. */
  readonly url: URL
  readonly start: () => Promise<void>
  /** `SIGINT` ends it in order, `SIGQUIT` as a crash does. */
  readonly stop: (signal: "SIGINT" | "SIGQUIT") => Promise<void>
  /** Halts all its processes; the answer lets them go on. */
  readonly freeze: () => Promise<() => void>
  /** Has the disk be full for tables that are empty, until the answer is called. It is stopped meanwhile. */
  readonly fill: (...tables: ReadonlyArray<string>) => Promise<() => Promise<void>>
}

const alive = new Set<number>()
process.on("exit", () => {
  for (const pid of alive) process.kill(pid, "SIGQUIT")
})

/** Sends a signal to a process that may have ended by itself meanwhile. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

const create = async (
  settings: Readonly<Record<string, string>>,
): Promise<Postgres & { readonly remove: () => Promise<void> }> => {
  const dataDir = await mkdtemp(join(tmpdir(), "tc-faults-"))
  // PostgreSQL does not run as root, and its user has to get here.
  await chmod(dataDir, 0o711)
  const cluster = await Effect.runPromise(Cluster.open({ dataDir, durable: false, binaries: undefined }))
  const lines = Object.entries({ autovacuum: "off", ...settings }).map(([name, value]) => `${name} = ${value}\n`)
  await appendFile(join(cluster.directory, "postgresql.conf"), lines.join(""))
  const find = () => Effect.runPromise(Server.get(cluster))
  let pid = 0

  const start = async () => {
    const begun = async () => (await Effect.runPromise(Server.start(cluster, await find()))) === undefined
    await until("PostgreSQL starts", begun)
    pid = (await find())?.pid ?? 0
    alive.add(pid)
  }
  const stop = async (signal: NodeJS.Signals) => {
    process.kill(pid, signal)
    await until("PostgreSQL has ended", async () => [undefined, "stale"].includes((await find())?.status))
    alive.delete(pid)
  }
  await start()
  const { password, port } = await Effect.runPromise(Cluster.readSettings(cluster))
  const url = await Database.create(new URL(`postgres://tc:${password}@127.0.0.1:${port}/tc`))

  return {
    url,
    start,
    stop,
    freeze: async () => {
      const session = await Database.connect(url)
      // From now on nobody is added.
      process.kill(pid, "SIGSTOP")
      const rows = await session.query<{ readonly pid: number }>("SELECT pid FROM pg_stat_activity")
      const pids = [pid, ...rows.map((row) => row.pid)]
      for (const one of pids) signal(one, "SIGSTOP")
      return () => {
        for (const one of pids) signal(one, "SIGCONT")
        session.close().catch(() => {})
      }
    },
    fill: async (...tables) => {
      const session = await Database.connect(url)
      const paths: Array<string> = []
      for (const table of tables) {
        const [row] = await session.query<{ path: string; size: unknown }>(
          "SELECT pg_relation_filepath($1::regclass) AS path, pg_relation_size($1::regclass) AS size",
          [table],
        )
        if (row === undefined || Number(row.size) !== 0) throw new Error(`${table} is not empty`)
        paths.push(join(cluster.directory, row.path))
      }
      await session.close()
      const during = async (change: (path: string) => Promise<unknown>) => {
        await stop("SIGINT")
        await Promise.all(paths.map(change))
        await start()
      }
      // Whoever writes there is told by the kernel that no space is left.
      await during(async (path) => {
        await rename(path, `${path}.kept`)
        await symlink("/dev/full", path)
      })
      return () => during((path) => rename(`${path}.kept`, path))
    },
    remove: async () => {
      await stop("SIGQUIT").catch(() => {})
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs something on a PostgreSQL with these settings, and removes it. */
export const using = async <A>(
  settings: Readonly<Record<string, string>>,
  run: (postgres: Postgres) => Promise<A>,
): Promise<A> => {
  const postgres = await create(settings)
  return run(postgres).finally(postgres.remove)
}
