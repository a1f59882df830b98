/** A database that falls silent, played by a server that answers nothing but says when it was written to. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import * as Silence from "../../src/node/Silence.ts"

/** A server that keeps connections open, and how to connect to it. */
const mute = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.sync(() => server.close()),
).pipe(Effect.map((server) => () => connect((server.address() as AddressInfo).port, "127.0.0.1")))

/** How a connection ends. */
const end = (socket: Socket) =>
  Effect.callback<string>((resume) => void socket.once("error", ({ message }) => resume(Effect.succeed(message))))

const closing = (socket: Socket) => Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))

it.live("ends connections that are silent when the database answers nobody", () =>
  Effect.gen(function* () {
    const open = yield* Silence.watch({ dial: yield* mute, answers: Effect.succeed(false), patience_ms: 100 })
    assert.strictEqual(yield* end(open()), "The database has fallen silent.")
  }),
)

it.live("fails new connections at once while the database is silent, and opens them when it is back", () =>
  Effect.gen(function* () {
    let isThere = false
    const answers = Effect.sync(() => isThere)
    const open = yield* Silence.watch({ dial: yield* mute, answers, patience_ms: 100 })
    const refused = () => open().on("error", () => {}).destroyed
    yield* end(open())
    assert.isTrue(refused())
    isThere = true
    yield* Effect.sync(refused).pipe(Effect.delay("50 millis"), Effect.repeat({ until: (still) => !still }))
  }),
)

it.live("leaves a connection alone that is only slow, until it is given up", () =>
  Effect.gen(function* () {
    let asked = 0
    const dial = yield* mute
    const patient = yield* Silence.watch({ dial, answers: Effect.sync(() => (asked += 1) > 0), patience_ms: 100 })
    const socket = patient()
    yield* closing(socket)
    const limited = yield* Silence.watch({ dial, answers: Effect.succeed(true), patience_ms: 100, limit_ms: 200 })
    assert.strictEqual(yield* end(limited()), "The database has fallen silent.")
    assert.isAbove(asked, 0)
    assert.isFalse(socket.destroyed)
  }),
)

it.effect("gives what is asked of a connection that was idle as long as any other", () =>
  Effect.gen(function* () {
    const limits = { patience_ms: 1_000_000, limit_ms: 35_000 }
    const open = yield* Silence.watch({ dial: yield* mute, answers: Effect.succeed(true), ...limits })
    const socket = open().on("error", () => {})
    yield* closing(socket)
    yield* Effect.promise(() => once(socket, "connect"))
    yield* TestClock.adjust("30 seconds")
    socket.write("a question")
    yield* TestClock.adjust("30 seconds")
    socket.write("another one, which is no answer to the first")
    yield* TestClock.adjust("4 seconds")
    assert.isFalse(socket.destroyed)
    yield* TestClock.adjust("3 seconds")
    assert.isTrue(socket.destroyed)
  }),
)
