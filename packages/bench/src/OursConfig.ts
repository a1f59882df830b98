/** How our service is configured for the benchmarks. */
import { Config, SecretBox } from "@tc/server"
import { Result } from "effect"

/** The key that the service makes at its first start. */
export const bootstrapKey: string = `tc_${"0123456789abcdef".repeat(4)}`

/** The defaults, on this database, with receivers on 127.0.0.1 allowed, and one of them given what the floor gives it. */
export const make = (databaseUrl: string): Config.Config =>
  Result.getOrThrowWith(
    Config.parse(
      {
        DATABASE_URL: databaseUrl,
        PORT: "0",
        TC_SECRET_KEY: btoa("k".repeat(SecretBox.KEY_BYTES)),
        TC_BOOTSTRAP_API_KEY: bootstrapKey,
        TC_WEBHOOK_ALLOW_PRIVATE: "true",
        // As many connections to one receiver as the floor has.
        TC_WEBHOOK_PER_ENDPOINT: "64",
      },
      false,
    ),
    (problems) => new Error(JSON.stringify(problems)),
  )
