import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { WebhookEndpoint } from "@tc/domain"
import { Deliveries } from "@tc/store"
import { Effect, Layer, References } from "effect"
import { defaults } from "../../src/DeliverySettings.ts"
import type { Resolve } from "../../src/node/Resolver.ts"
import * as UndiciSender from "../../src/node/UndiciSender.ts"
import { CLOSED_PORT } from "../blackbox/Receiver.ts"
import * as Hostile from "./Hostile.ts"
import { local } from "./Sending.ts"
import * as Servers from "./Servers.ts"
import * as World from "./World.ts"

/** Milliseconds of the deadline, far longer than all deliveries take to a receiver that is well. */
const TIMEOUT_MS = 15_000
/** Events that each hostile receiver is sent, and those of the healthy one between two of them. */
const ROUNDS = 5
const BETWEEN = 10

/** Names that are never found, found to lead nowhere, or found at this machine. */
const resolve: Resolve = async (hostname) => {
  if (hostname === "silent.test") return new Promise(() => {})
  return hostname === "none.test" ? [] : [{ address: "127.0.0.1", family: 4 }]
}

/** All hostile receivers, in a process of their own, by the port of each. */
const hostile = Effect.acquireRelease(
  Effect.promise(async () => {
    const program = fileURLToPath(new URL("HostileServer.ts", import.meta.url))
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] })
    const [line] = await once(child.stdout, "data")
    return { child, ports: JSON.parse(String(line)) as ReadonlyArray<number> }
  }),
  ({ child }) => Effect.sync(() => child.stdin.end()),
)

/** Where they are, each with what an attempt at it comes to; those of `Hostile.ts`, and those that never get so far. */
const targets = Effect.gen(function* () {
  const { ports } = yield* hostile
  const blackHole = yield* Servers.blackHole
  const expired = yield* Servers.https("expired", (_, response) => response.end())
  const self_signed = yield* Servers.https("self-signed", (_, response) => response.end())
  const [silent = 0] = ports
  return [
    ...Hostile.all.map(([comes_to], index) => [local({ port: ports[index] ?? 0 }), comes_to] as const),
    [local({ port: CLOSED_PORT }), "connection_refused"],
    [local(blackHole), "timeout"],
    [`https://127.0.0.1:${silent}/`, "timeout"],
    [`https://receiver.test:${expired.port}/`, "tls_error"],
    [`https://receiver.test:${self_signed.port}/`, "tls_error"],
    ["http://silent.test/", "timeout"],
    ["http://none.test/", "dns_error"],
  ] as const
})

/** A receiver that is well, and the milliseconds that an event takes to it. */
const healthy = Effect.gen(function* () {
  const account_id = yield* World.account
  const arrived: Array<() => void> = []
  const server = yield* Servers.http((_, response) => {
    response.end()
    arrived.shift()?.()
  })
  yield* World.endpoint(account_id, local(server))
  return Effect.gen(function* () {
    const { promise, resolve } = Promise.withResolvers<void>()
    arrived.push(resolve)
    const before = performance.now()
    yield* World.happen(account_id)
    yield* Effect.promise(() => promise)
    return performance.now() - before
  })
})

/** What came of all deliveries to an endpoint, once they have ended: how each stands, and what its attempts came to. */
const outcomes = ({ account_id, id }: WebhookEndpoint.WebhookEndpoint) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    for (;;) {
      const { data } = yield* deliveries.list(account_id, { page: 1, per_page: 100, endpoint_id: id })
      if (data.every(({ status }) => status === "succeeded" || status === "failed")) {
        const all = yield* Effect.forEach(data, (delivery) => Effect.orDie(deliveries.get(account_id, delivery.id)))
        return all.map(({ attempts, status }) => [status, ...attempts.map((one) => one.error ?? one.status_code)])
      }
      yield* Effect.sleep(20)
    }
  })

/** Every delivery is to be attempted at once, also to those that never answer. */
const circuit = { ...defaults.circuit, after: Infinity }

const sender = UndiciSender.layer({ resolve, ca: Servers.authority }).pipe(
  Layer.provide(World.settings({ allow_private: true, timeout_ms: TIMEOUT_MS })),
)

describe("hostile receivers of every kind at once", () => {
  it.live(
    "delay no delivery to another, and each has what became of it recorded",
    () =>
      Effect.gen(function* () {
        const account_id = yield* World.account
        const endpoints = yield* Effect.forEach(yield* targets, ([url, comes_to]) =>
          Effect.map(World.endpoint(account_id, url), (endpoint) => ({ endpoint, comes_to })),
        )
        const deliver = yield* healthy
        const took: Array<number> = []
        for (let round = 0; round < ROUNDS; round++) {
          yield* World.happen(account_id)
          for (let nth = 0; nth < BETWEEN; nth++) took.push(yield* deliver)
        }
        // Whichever waits for another's attempt waits for its deadline.
        assert.isBelow(Math.max(...took), TIMEOUT_MS)
        for (const { endpoint, comes_to } of endpoints) {
          const status = typeof comes_to === "number" && comes_to < 300 ? "succeeded" : "failed"
          assert.deepStrictEqual(
            yield* outcomes(endpoint),
            Array.from({ length: ROUNDS }, () => [status, comes_to]),
            endpoint.url,
          )
        }
      }).pipe(
        Effect.provide(
          World.layer(sender, { timeout_ms: TIMEOUT_MS, schedule: [0], disable_after: 1_000, window: ROUNDS, circuit }),
        ),
        Effect.provideService(References.MinimumLogLevel, "None"),
      ),
    240_000,
  )
})
