/** The data directory of the embedded PostgreSQL: a cluster, in its words. */
import { Effect, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Launcher from "./EmbeddedLauncher.ts"

/** A complete data directory, and how to run a server on it. */
export interface Cluster {
  /** Absolute, without symbolic links. */
  readonly directory: string
  readonly durable: boolean
  readonly binaries: Launcher.Binaries
  readonly launcher: Launcher.Launcher
}

/** `port` is where the last server listened and the next one will if it can; 0 before the first. */
export const Settings = Schema.Struct({ port: Schema.Int, password: Schema.String })
const SettingsJson = Schema.fromJsonString(Settings)

/** Opens `<dataDir>/postgres`, and makes it first where it does not exist. */
export const open = Effect.fnUntraced(function* (options: {
  readonly dataDir: string
  readonly durable: boolean
  readonly binaries: Launcher.Binaries | undefined
}) {
  const parent = yield* io(async () => {
    await fs.mkdir(options.dataDir, { recursive: true })
    return fs.realpath(options.dataDir)
  })
  const binaries = options.binaries ?? (yield* Launcher.locate)
  const launcher = yield* Launcher.make(parent, binaries)
  const cluster: Cluster = { directory: join(parent, "postgres"), durable: options.durable, binaries, launcher }
  if (!isComplete(cluster)) yield* initialise(cluster)
  return cluster
})

const isComplete = ({ directory }: Cluster) => existsSync(join(directory, "postgres.json"))

/**
 * Makes the directory under another name and renames it when it is complete, so that a process killed on the way leaves
 * nothing half-made, and of several at once exactly one succeeds: a directory cannot be renamed onto one that has entries.
 */
const initialise = Effect.fnUntraced(function* (cluster: Cluster) {
  const { directory } = cluster
  yield* setAside(cluster)
  const scratch = yield* io(() => fs.mkdtemp(`${directory}.new-`))
  yield* fill(cluster, scratch).pipe(
    Effect.andThen(io(() => fs.rename(scratch, directory))),
    Effect.ensuring(Effect.promise(() => fs.rm(scratch, { recursive: true, force: true }).catch(() => {}))),
    // Somebody else was faster, and then perhaps removed ours.
    Effect.catch((error) => (isComplete(cluster) ? Effect.void : Effect.fail(error))),
  )
  yield* io(async () => {
    const parent = dirname(directory)
    if (cluster.durable) await sync(parent)
    const leftovers = (await fs.readdir(parent)).filter((name) => name.startsWith(`${basename(directory)}.new-`))
    await Promise.allSettled(leftovers.map((name) => fs.rm(join(parent, name), { recursive: true, force: true })))
  })
})

/** Brings a directory's own entries to the disk: here, the rename. */
const sync = async (directory: string) => {
  const handle = await fs.open(directory)
  await handle.sync().finally(() => handle.close())
}

/** A directory of that name that nobody can have stored anything in makes way; one that holds data is never touched. */
const setAside = Effect.fnUntraced(function* (cluster: Cluster) {
  const { directory } = cluster
  const entries = existsSync(directory) ? yield* io(() => fs.readdir(directory)) : []
  if (entries.length === 0 || isComplete(cluster)) return
  if (existsSync(join(directory, "global", "pg_control"))) {
    return yield* failed(
      "initialise",
      `${directory} is a data directory without its postgres.json (port and password). ` +
        `Restore that file, or move the directory away to begin with an empty one.`,
    )
  }
  const aside = `${directory}.incomplete-${randomBytes(4).toString("hex")}`
  yield* Effect.logWarning(
    `${directory} is not a complete data directory: it is kept as ${aside}, and a new one is made`,
  )
  yield* io(() => fs.rename(directory, aside))
})

/**
 * The server's own superuser has no password, so nobody can log in as it; `tc` owns the database `tc` and may create
 * others, and in a server for tests other users, but it cannot read files or run programs through PostgreSQL.
 */
const fill = Effect.fnUntraced(function* (cluster: Cluster, directory: string) {
  const { binaries, durable, launcher } = cluster
  const run = (program: string, args: ReadonlyArray<string>, input?: string) =>
    Effect.mapError(launcher.run(program, args, input), (error) => failed("initialise", error.message.slice(-2000)))
  yield* give(cluster, directory)
  yield* run(binaries.initdb, [
    "-D",
    directory,
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--set=timezone=UTC",
    "--set=log_timezone=UTC",
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
  ])
  yield* io(() =>
    fs.writeFile(join(directory, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n", { flush: durable }),
  )
  const password = randomBytes(24).toString("base64url")
  const output = yield* run(
    binaries.postgres,
    ["--single", "-D", directory, ...flags(durable), "postgres"],
    `CREATE ROLE tc LOGIN CREATEDB ${durable ? "" : "CREATEROLE"} PASSWORD '${password}';\nCREATE DATABASE tc OWNER tc;\n`,
  )
  // In this mode PostgreSQL reports a failed statement, goes on, and exits with 0.
  if (/(?:ERROR|FATAL|PANIC):/.test(output)) return yield* failed("initialise", output.slice(-2000))
  yield* writeSettings(cluster, directory, { port: 0, password })
})

/** The error of a step, with what the operating system or PostgreSQL said of it. */
export const failed = (reason: "initialise" | "start", detail: string) =>
  new Launcher.EmbeddedPostgresError({
    reason,
    message: `The embedded PostgreSQL failed to ${reason}: ${detail.trim()}`,
  })

/** A promise about files; it fails as `initialise`. */
export const io = <A>(run: () => Promise<A>): Effect.Effect<A, Launcher.EmbeddedPostgresError> =>
  Effect.tryPromise({ try: run, catch: (cause) => failed("initialise", String(cause)) })

/** Makes PostgreSQL the owner of a file. */
export const give = ({ launcher: { owner } }: Cluster, path: string) =>
  owner === undefined ? Effect.void : io(() => fs.chown(path, owner.uid, owner.gid))

/** The port of the next server, and the password of `tc`. */
export const readSettings = ({
  directory,
}: Cluster): Effect.Effect<typeof Settings.Type, Launcher.EmbeddedPostgresError> =>
  io(() => fs.readFile(join(directory, "postgres.json"), "utf8")).pipe(
    Effect.flatMap(Schema.decodeEffect(SettingsJson)),
    Effect.catchTag("SchemaError", (error) => failed("initialise", `${directory}/postgres.json: ${error.message}`)),
  )

/** Replaces the settings in one step. */
export const writeSettings = Effect.fnUntraced(function* (
  cluster: Cluster,
  directory: string,
  settings: typeof Settings.Type,
) {
  const file = join(directory, "postgres.json")
  const scratch = `${file}.${randomBytes(4).toString("hex")}`
  yield* io(() => fs.writeFile(scratch, `${JSON.stringify(settings)}\n`, { mode: 0o600, flush: cluster.durable }))
  yield* give(cluster, scratch)
  yield* io(() => fs.rename(scratch, file))
})

/** What a cluster that need not survive its machine gives up for speed; it still survives being killed. */
export const flags = (durable: boolean): ReadonlyArray<string> =>
  durable ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off"]
