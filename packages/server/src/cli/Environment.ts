/** The configuration of this process, or an end with status 2 that says what is wrong with it. */
import { Console, Context, Effect, Layer, Result } from "effect"
import * as Config from "../Config.ts"
import { describe } from "../Setting.ts"

/** The environment does not make a configuration; the problems have been printed. */
export const EXIT_MISCONFIGURED = 2

export class Environment extends Context.Service<Environment, Config.Config>()("@tc/server/cli/Environment") {
  static readonly layer = Layer.effect(
    Environment,
    Effect.gen(function* () {
      for (const name of Config.unknown(process.env)) yield* Console.error(`${name} is not a setting of this server.`)
      const parsed = Config.parse(process.env, process.stderr.isTTY)
      if (Result.isSuccess(parsed)) return parsed.success
      for (const problem of parsed.failure) yield* Console.error(describe(problem))
      return yield* Effect.sync(() => process.exit(EXIT_MISCONFIGURED))
    }),
  )
}
