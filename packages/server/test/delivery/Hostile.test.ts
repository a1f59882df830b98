import type { Server } from "node:net"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Hostile from "./Hostile.ts"
import { local, open, said, send } from "./Sending.ts"
import * as Servers from "./Servers.ts"

/** Milliseconds of the deadline for those that let it pass, for those that do so after their status, and for all others. */
const SHORT_MS = 300
const STATUS_MS = 5_000
const LONG_MS = 20_000

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))

/** Ends when a server has no connection left. */
const released = (server: Server) =>
  Effect.promise(async () => {
    while ((await connectionsOf(server)) > 0) await setTimeout(10)
  })

/** One attempt at a receiver: what it comes to, and that its connection is closed. */
const check = ([comes_to, does, behaviour]: Hostile.Case, timeout_ms: number) =>
  it.live(`${does}: ${comes_to}`, () =>
    Effect.gen(function* () {
      const server = yield* Servers.tcp(behaviour)
      const { response_excerpt, ...answer } = yield* send(local(server))
      assert.strictEqual(said({ response_excerpt, ...answer }), comes_to)
      assert.isAtMost(response_excerpt?.length ?? 0, 16 * 1024)
      if (timeout_ms === LONG_MS) assert.isBelow(answer.duration_ms, LONG_MS)
      yield* released(server.server)
    }).pipe(Effect.provide(open({ timeout_ms }))),
  )

describe.concurrent("a receiver that is slow", () => {
  for (const one of Hostile.slow) check(one, one[0] === "timeout" ? SHORT_MS : STATUS_MS)
})
describe("a receiver that sends too much", () => {
  for (const one of Hostile.large) check(one, LONG_MS)
})
describe("a receiver that breaks the protocol", () => {
  for (const one of Hostile.malformed) check(one, LONG_MS)
})
describe("a receiver that breaks off", () => {
  for (const one of Hostile.broken) check(one, LONG_MS)
})
