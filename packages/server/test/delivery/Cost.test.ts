import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Hostile from "./Hostile.ts"
import * as Servers from "./Servers.ts"

vi.setConfig({ testTimeout: 240_000 })

const MiB = 2 ** 20

const Report = Schema.fromJsonString(
  Schema.Struct({
    rounds: Schema.Array(Schema.Struct({ said: Schema.Array(Schema.Unknown), grown: Schema.Number })),
    before: Schema.Array(Schema.String),
    after: Schema.Array(Schema.String),
  }),
)

/** So many attempts at once at each of some receivers, made by a process of its own. */
const attempting = (cases: ReadonlyArray<Hostile.Case>, times: number, timeout_ms: number) =>
  Effect.gen(function* () {
    const servers = yield* Effect.forEach(cases, ([, , behaviour]) => Servers.tcp(behaviour))
    const ports = servers.map(({ port }) => port)
    const program = fileURLToPath(new URL("Attempter.ts", import.meta.url))
    const given = [ports, times, timeout_ms].map((argument) => JSON.stringify(argument))
    const { stdout } = yield* Effect.promise(() =>
      promisify(execFile)(process.execPath, ["--expose-gc", program, ...given]),
    )
    return yield* Schema.decodeUnknownEffect(Report)(stdout)
  })

describe("attempts at receivers that send too much, 50 at a time", () => {
  it.live("do not make the process grow", () =>
    Effect.gen(function* () {
      const { rounds } = yield* attempting(Hostile.large, 50, 60_000)
      for (const [index, { grown, said }] of rounds.entries()) {
        const [comes_to, does] = Hostile.large[index] ?? []
        assert.deepStrictEqual(said, [comes_to], does)
        assert.isBelow(grown, 64 * MiB, does)
      }
    }),
  )
})

describe.concurrent("attempts at receivers of every kind", () => {
  for (const [sentence, cases, timeout_ms] of [
    [
      "that break off, break the protocol or send too much",
      [...Hostile.broken, ...Hostile.malformed, ...Hostile.large],
      60_000,
    ],
    ["that are slow", Hostile.slow, 10_000],
  ] as const) {
    it.live(`${sentence} leave no socket and no timer behind`, () =>
      Effect.gen(function* () {
        const { rounds, before, after } = yield* attempting(cases, 1, timeout_ms)
        assert.deepStrictEqual(
          rounds.flatMap(({ said }) => said),
          cases.map(([comes_to]) => comes_to),
        )
        assert.deepStrictEqual(after, before)
      }),
    )
  }
})
