/** The real server as a process of its own, and its commands. All that a test knows of it is its address and its output. */
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { until } from "./Until.ts"

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

const compiled = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url))

export type Environment = Readonly<Record<string, string>>

/** How a process ended: its exit code (null when a signal ended it) and all that it printed. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Server {
  readonly url: string
  /** Of the account `default`, with all scopes. */
  readonly key: string
  /** What it printed so far, on both streams. */
  readonly log: () => string
  /** Runs a command on the same storage, such as `account list --json`. */
  readonly cli: (command: string, env?: Environment) => Promise<Ended>
  /** Asks it to end, as a service manager does. */
  readonly stop: () => Promise<Ended>
  /** Ends it as a crash does. */
  readonly kill: () => Promise<Ended>
  /** `SIGSTOP` halts it as it stands, `SIGCONT` lets it go on; `SIGUSR2` has it read its clock's error (`Clock.ts`). */
  readonly signal: (signal: "SIGSTOP" | "SIGCONT" | "SIGUSR2") => void
  readonly isRunning: () => boolean
}

/** What every server here runs with: short delays, and receivers on this machine allowed. */
export const settings = {
  TC_LOG: "json",
  TC_WEBHOOK_ALLOW_PRIVATE: "true",
  TC_WEBHOOK_SCHEDULE: "0s,200ms,400ms",
  TC_WEBHOOK_TIMEOUT: "10s",
}

/** A new API key, as the operator may choose one. */
export const newKey = (): string => `tc_${randomBytes(32).toString("hex")}`

/** Processes that have not ended, with the directory of their data. */
const running = new Map<ChildProcess, string | undefined>()
process.on("exit", () => running.forEach((_, child) => child.kill("SIGKILL")))

const launch = (args: ReadonlyArray<string>, env: Environment) => {
  const child = spawn(process.execPath, [main, ...args], {
    // Nothing of this process's own environment may decide what the server does. Compiling it each time would take
    // half of the time of a command.
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compiled, ...env },
    cwd: tmpdir(),
    stdio: ["ignore", "pipe", "pipe"],
  })
  running.set(child, env["TC_DATA_DIR"])
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => {
      running.delete(child)
      resolve({ code, stdout, stderr })
    })
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  const signal = (signal: NodeJS.Signals) => void child.kill(signal)
  return { ended, end, signal, isRunning: () => running.has(child), stdout: () => stdout, log: () => stdout + stderr }
}

/** Runs a command to its end. */
export const run = (command: string, env: Environment): Promise<Ended> => launch(command.split(" "), env).ended

/** Starts a server on a free port and waits until it accepts requests. */
export const start = async (env: Environment): Promise<Server> => {
  const all = { PORT: "0", TC_BOOTSTRAP_API_KEY: newKey(), ...settings, ...env }
  const process = launch([], all)
  const url = await until(
    "the server listens",
    () => {
      if (!process.isRunning()) throw new Error(`The server ended: ${process.log()}`)
      return /^listening on (http:\/\/\S+)$/m.exec(process.stdout())?.[1]
    },
    300_000,
  )
  return {
    url,
    key: /tc_[0-9a-f]{64}/.exec(process.stdout())?.[0] ?? all.TC_BOOTSTRAP_API_KEY,
    log: process.log,
    cli: (command, more = {}) => run(command, { ...all, ...more }),
    stop: () => process.end("SIGTERM"),
    kill: () => process.end("SIGKILL"),
    signal: process.signal,
    isRunning: process.isRunning,
  }
}

/** Ends a process as a crash does, where it has not ended by itself meanwhile. */
const end = (pid: number): void => {
  try {
    process.kill(pid, "SIGQUIT")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

/** A directory for embedded storage; `remove` ends what still runs on it: servers, and a PostgreSQL that one left behind. */
export const dataDir = async (): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), "tc-blackbox-"))
  // PostgreSQL does not run as root, and its user has to get here.
  await chmod(path, 0o711)
  const pid = () => readFile(join(path, "postgres", "postmaster.pid"), "utf8").catch(() => "")
  const remove = async () => {
    for (const [child, dir] of running) if (dir === path) child.kill("SIGKILL")
    const [left = ""] = (await pid()).split("\n")
    if (left !== "") end(Number(left))
    await until("PostgreSQL has ended", async () => (await pid()) === "")
    await rm(path, { recursive: true, force: true })
  }
  return { path, remove }
}
