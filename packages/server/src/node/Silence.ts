/** Notices a database that has fallen silent: its connections stay open, nothing comes any more, and nobody says so. */
import { Clock, Effect } from "effect"
import type { Socket } from "node:net"

export interface Options {
  /** Opens a connection. */
  readonly dial: () => Socket
  /** Whether the database answers on a connection of its own, within a few seconds. */
  readonly answers: Effect.Effect<boolean>
  /** Milliseconds of silence on a connection before the database is asked whether it is there. Default 8 s. */
  readonly patience_ms?: number
  /** Milliseconds of silence after which a connection is given up, whatever the database says. Default 35 s. */
  readonly limit_ms?: number
}

const PATIENCE_MS = 8_000
/** Longer than any statement may take. */
const LIMIT_MS = 35_000
/** Milliseconds between two looks at the connections; a database that was silent is asked as often whether it is back. */
const LOOK_MS = 1_000
/** Milliseconds for which an answer is enough. Connections without work are silent, too. */
const TRUST_MS = 5_000

/** What is known of a connection. */
interface Entry {
  /** Bytes that came from the database, and that went there, at `at`. */
  readonly read: number
  readonly written: number
  /** Whether something was sent since anything came. */
  readonly asked: boolean
  /** When it was opened, something came, or something was sent on it while it was idle, whatever was last. Milliseconds. */
  readonly at: number
}

const silent = () => new Error("The database has fallen silent.")

/**
 * Answers with how to open a connection that is watched. Slow is not silent: a statement may take its time for as long as
 * anything comes from the database. When nothing does, all connections end, and until something does new ones fail at once.
 */
export const watch = Effect.fnUntraced(function* (options: Options) {
  const { answers, dial, patience_ms = PATIENCE_MS, limit_ms = LIMIT_MS } = options
  const clock = yield* Clock.Clock
  /** By a clock that nobody sets. */
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const open = new Map<Socket, Entry>()
  let isSilent = false
  let heard_at = -Infinity
  let asked_at = -Infinity

  const add = (socket: Socket, asked = false) =>
    open.set(socket, { read: socket.bytesRead, written: socket.bytesWritten, asked, at: now() })
  const listen = () => {
    for (const [socket, { asked, read, written }] of open) {
      if (socket.bytesRead !== read) {
        add(socket)
        heard_at = now()
      } else if (!asked && socket.bytesWritten !== written) add(socket, true)
    }
  }

  const ask = Effect.gen(function* () {
    asked_at = now()
    const isThere = yield* answers
    listen()
    isSilent = !isThere && heard_at < asked_at
  })

  const look = Effect.gen(function* () {
    listen()
    const isQuiet = [...open.values()].some(({ at }) => now() - at > patience_ms)
    if (isSilent || (isQuiet && now() - asked_at > TRUST_MS)) yield* ask
    for (const [socket, { at }] of open) {
      if (isSilent || now() - at > limit_ms) socket.destroy(silent())
    }
  })
  yield* look.pipe(Effect.delay(LOOK_MS), Effect.forever, Effect.forkScoped)

  return () => {
    const socket = dial()
    if (isSilent) return socket.destroy(silent())
    add(socket)
    return socket.on("close", () => open.delete(socket))
  }
})
