/** Embedded storage, with real processes: started, shared, killed and started again. */
import { afterAll, assert, it, vi } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Effect, Logger, Redacted, Schedule } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as EmbeddedPostgres from "../src/node/EmbeddedPostgres.ts"

vi.setConfig({ testTimeout: 240_000 })
const isRoot = process.getuid?.() === 0
const root = fs.mkdtempSync(join(tmpdir(), "tc-embedded-"))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

/** Most tests share one data directory, made by whichever comes first, and leave it without a server. */
const shared = join(root, "shared")
const make = (dataDir: string) => EmbeddedPostgres.make({ dataDir, durable: false })

/** Runs one statement as an application would. */
const query = ({ url }: Pick<EmbeddedPostgres.Connection, "url">, statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement).values).pipe(Effect.provide(PgClient.layer({ url })))

const write = (db: EmbeddedPostgres.Connection, table: string) => query(db, `CREATE TABLE ${table} AS SELECT 42 AS n`)
const read = (db: EmbeddedPostgres.Connection, table: string) => query(db, `SELECT n FROM ${table}`)
/** Starts, writes, and leaves. */
const visit = (table: string) => Effect.scoped(Effect.tap(make(shared), (db) => write(db, table)))

const pidFile = join(shared, "postgres", "postmaster.pid")
const runningPid = () => parseInt(fs.readFileSync(pidFile, "utf8"), 10)

/** Repeats a look at the outside world until it answers yes. */
const eventually = (look: () => boolean) =>
  Effect.repeat(Effect.sync(look), { until: (yes) => yes, schedule: Schedule.spaced("20 millis") })

/** Another process that evaluates `expression` with our module as `E`, prints the result, and then stays. */
const child = (expression: string, env: Record<string, string> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const module = JSON.stringify(resolve(import.meta.dirname, "../src/node/EmbeddedPostgres.ts"))
      const program = `import { Effect } from "effect"; import * as E from ${module}
        setInterval(() => {}, 1000); console.log(await ${expression})`
      const options = { cwd: import.meta.dirname, env: { ...process.env, ...env } }
      const args = ["--input-type=module", "-e", program]
      return spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"] })
    }),
    (process) => kill(process),
  )

const holder = (dataDir: string) =>
  child(`Effect.runPromise(Effect.scoped(E.make(${JSON.stringify({ dataDir, durable: false })}).pipe(
    Effect.tap(({ port }) => Effect.sync(() => console.log(port))), Effect.andThen(Effect.never))))`)

const printed = ({ stdout }: { readonly stdout: NodeJS.EventEmitter }) =>
  Effect.promise(async () => String((await once(stdout, "data"))[0]).trim())

const kill = (process: ChildProcess) =>
  Effect.promise(async () => {
    if (process.kill("SIGKILL")) await once(process, "exit")
  })

/** Logs go into the array instead of the console. */
const logTo = (lines: Array<string>) => Logger.layer([Logger.make(({ message }) => lines.push(String(message)))])

it.live("gives several first starts at once one and the same database, and lower-cases beyond ASCII", () =>
  Effect.gen(function* () {
    const [one, other] = yield* Effect.all([make(shared), make(shared)], { concurrency: 2 })
    assert.strictEqual(Redacted.value(one.url), Redacted.value(other.url))
    assert.deepStrictEqual(yield* query(one, "SELECT lower('ÄÖ'), 'É' ILIKE 'é'"), [["äö", true]])
    assert.deepStrictEqual(fs.readdirSync(shared), ["postgres"])
  }),
)

it.live("keeps its data, port and password over a restart", () =>
  Effect.gen(function* () {
    const before = yield* visit("restarted")
    assert.isFalse(fs.existsSync(pidFile))
    const after = yield* make(shared)
    assert.strictEqual(Redacted.value(after.url), Redacted.value(before.url))
    assert.deepStrictEqual(yield* read(after, "restarted"), [[42]])
  }),
)

it.live("moves to another port when its own is taken", () =>
  Effect.gen(function* () {
    const { port } = yield* Effect.scoped(make(shared))
    const squatter = createServer().listen(port, "127.0.0.1")
    yield* Effect.addFinalizer(() => Effect.sync(() => squatter.close()))
    yield* Effect.promise(() => once(squatter, "listening"))
    const moved = yield* make(shared)
    assert.notStrictEqual(moved.port, port)
    assert.deepStrictEqual(yield* query(moved, "SELECT 1"), [[1]])
  }),
)

it.live("begins another log when its own has grown large", () =>
  Effect.gen(function* () {
    const log = join(shared, "postgres", "postgres.log")
    // Several times: two that trimmed the log at once used to wait for each other's bytes for ever, now and then.
    for (let round = 0; round < 5; round++) {
      yield* Effect.scoped(make(shared))
      fs.appendFileSync(log, "-".repeat(5_000_000))
      yield* Effect.scoped(make(shared))
      assert.isBelow(fs.statSync(log).size, 100_000)
      assert.isAbove(fs.statSync(`${log}.old`).size, 5_000_000)
    }
  }),
)

it.live("runs until the last of several processes has left", () =>
  Effect.gen(function* () {
    const other = yield* holder(shared)
    yield* printed(other)
    const pid = runningPid()
    yield* visit("joined")
    assert.strictEqual(runningPid(), pid)
    yield* Effect.gen(function* () {
      const db = yield* make(shared)
      yield* kill(other)
      assert.deepStrictEqual(yield* read(db, "joined"), [[42]])
    }).pipe(Effect.scoped)
    assert.isFalse(fs.existsSync(pidFile))
  }),
)

it.live("is adopted by the next start after its only user was killed", () =>
  Effect.gen(function* () {
    const owner = yield* holder(shared)
    const port = yield* printed(owner)
    const pid = runningPid()
    yield* kill(owner)
    const db = yield* make(shared)
    assert.deepStrictEqual([runningPid(), String(db.port)], [pid, port])
  }),
)

it.live("is started again, with its data and a word in the log, when it is killed under its user", () => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    const db = yield* make(shared)
    yield* write(db, "killed")
    const pid = runningPid()
    process.kill(pid, "SIGKILL")
    yield* eventually(() => fs.existsSync(pidFile) && runningPid() !== pid)
    const rows = yield* Effect.retry(read(db, "killed"), { times: 100, schedule: Schedule.spaced("50 millis") })
    assert.deepStrictEqual(rows, [[42]])
    assert.match(logged.join("\n"), /PostgreSQL was lost and is started again/)
  }).pipe(Effect.provide(logTo(logged)))
})

it.live("recovers at the next start when it was killed too, even if its pid is another process's by then", () =>
  Effect.gen(function* () {
    const owner = yield* holder(shared)
    yield* printed(owner)
    yield* visit("crashed")
    yield* kill(owner)
    process.kill(runningPid(), "SIGKILL")
    // A process of the same user, as the one that got the pid after a reboot would be.
    const stranger = spawn("sleep", ["60"], isRoot ? { uid: fs.statSync(pidFile).uid } : {})
    yield* Effect.addFinalizer(() => kill(stranger))
    fs.writeFileSync(pidFile, fs.readFileSync(pidFile, "utf8").replace(/^\d+/, String(stranger.pid)))
    assert.deepStrictEqual(yield* read(yield* make(shared), "crashed"), [[42]])
  }),
)

it.live("starts after the process that made its directory was killed half-way", () =>
  Effect.gen(function* () {
    const dataDir = join(root, "interrupted")
    const first = yield* holder(dataDir)
    yield* eventually(() => fs.globSync(join(dataDir, "*", "PG_VERSION")).length > 0)
    yield* kill(first)
    assert.isFalse(fs.existsSync(join(dataDir, "postgres")))
    assert.deepStrictEqual(yield* query(yield* make(dataDir), "SELECT 1"), [[1]])
  }),
)

it.live("makes a half-made data directory anew, keeps the remains, and removes what a killed start left", () =>
  Effect.gen(function* () {
    const dataDir = join(root, "half-made")
    fs.mkdirSync(join(dataDir, "postgres"), { recursive: true })
    fs.writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "18\n")
    fs.mkdirSync(join(dataDir, "postgres.new-killed"))
    assert.deepStrictEqual(yield* query(yield* make(dataDir), "SELECT 1"), [[1]])
    const [data, aside, ...others] = fs.readdirSync(dataDir).toSorted()
    assert.strictEqual(data, "postgres")
    assert.match(String(aside), /^postgres\.incomplete-/)
    assert.deepStrictEqual(others, [])
  }).pipe(Effect.provide(logTo([]))),
)

it.live("says so when the password was changed behind its back", () =>
  Effect.gen(function* () {
    const file = join(shared, "postgres", "postgres.json")
    yield* make(shared)
    const text = fs.readFileSync(file, "utf8")
    yield* Effect.addFinalizer(() => Effect.sync(() => fs.writeFileSync(file, text)))
    fs.writeFileSync(file, text.replace(/"password":"/, "$&not"))
    const error = yield* Effect.flip(Effect.scoped(make(shared)))
    assert.match(error.message, /refuses the password in postgres.json/)
  }).pipe(Effect.provide(logTo([]))),
)

it.live("never replaces a data directory that lost its password", () =>
  Effect.gen(function* () {
    const control = join(root, "foreign", "postgres", "global", "pg_control")
    fs.mkdirSync(control, { recursive: true })
    const error = yield* Effect.flip(make(join(root, "foreign")))
    assert.strictEqual(error.reason, "initialise")
    assert.include(error.message, "without its postgres.json")
    assert.isTrue(fs.existsSync(control))
  }),
)

it.live("says what else can be done where the programs do not run", () =>
  Effect.gen(function* () {
    const broken = join(root, "postgres-broken")
    fs.writeFileSync(broken, "\x7fELF but not really", { mode: 0o755 })
    for (const postgres of [broken, join(root, "missing")]) {
      const binaries = { initdb: postgres, postgres }
      const error = yield* Effect.flip(EmbeddedPostgres.make({ dataDir: join(root, "broken"), binaries }))
      assert.strictEqual(error.reason, "binaries")
      assert.match(error.message, /cannot run here.*DATABASE_URL to a PostgreSQL 14.*TC_STORE=memory/s)
    }
  }),
)

// For any other user there is nothing to see here: the server runs as that user, who can enter its own directories.
it.live.skipIf(!isRoot)("lets root keep its data below a directory that only root can enter", () =>
  Effect.gen(function* () {
    assert.strictEqual(fs.statSync(root).mode & 0o777, 0o700)
    assert.deepStrictEqual(yield* query(yield* make(shared), "SELECT 1"), [[1]])
  }),
)

it.live("startTemporary gives a database, and leaves nothing behind when it is stopped or its process is killed", () =>
  Effect.gen(function* () {
    const TMPDIR = join(root, "temporary")
    fs.mkdirSync(TMPDIR)
    const twice = "E.startTemporary().then(({ stop }) => stop()).then(E.startTemporary).then(({ url }) => url)"
    const owner = yield* child(twice, { TMPDIR })
    const url = Redacted.make(yield* printed(owner))
    assert.strictEqual(fs.readdirSync(TMPDIR).length, 1)
    assert.deepStrictEqual(yield* query({ url }, "SELECT 1"), [[1]])
    yield* kill(owner)
    yield* eventually(() => fs.readdirSync(TMPDIR).length === 0)
    assert.strictEqual((yield* Effect.flip(query({ url }, "SELECT 1"))).message, "PgConnection: Failed to connect")
  }),
)
