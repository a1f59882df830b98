import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { readFile } from "node:fs/promises"
import { Config, DeliverySettings, deliveryDefaults } from "../src/index.ts"
import { settings } from "../src/Settings.ts"

it("an environment that says nothing of deliveries leaves them as a program has them that embeds the service", () => {
  const { deliveries } = Result.getOrThrow(Config.parse({}, false))
  assert.deepStrictEqual(deliveries, deliveryDefaults)
  assert.deepStrictEqual(DeliverySettings.defaultValue(), deliveryDefaults)
})

const retention = (TC_RETENTION: string) =>
  Result.map(Config.parse({ TC_RETENTION }, false), ({ deliveries }) => deliveries.retention_ms)

it("TC_RETENTION is a duration from a minute to ten years, or off", () => {
  for (const [text, millis] of [
    ["1m", 60_000],
    ["12h", 43_200_000],
    ["30d", 2_592_000_000],
    ["3650d", 315_360_000_000],
    ["off", null],
  ] as const) {
    assert.deepStrictEqual(retention(text), Result.succeed(millis))
  }
  for (const text of ["59s", "3651d", "30", "0d", "never", "1d,2d", "-1d"])
    assert.isTrue(Result.isFailure(retention(text)), text)
})

it("a password of few different characters is refused, and why is said", () => {
  const env = { TC_ADMIN_EMAIL: "ada@example.com", TC_ADMIN_PASSWORD: "a".repeat(12) }
  const problems = Result.getOrThrow(Result.flip(Config.parse(env, false)))
  assert.match(problems.map(({ allowed }) => allowed).join(), /at least 5 of them different/)
})

it("the help and the README know the same settings", async () => {
  const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8")
  const rows = readme.split("\n").filter((line) => line.startsWith("| `"))
  const told = rows.flatMap((row) => row.split("|")[1]?.match(/[A-Z_]{4,}/g) ?? [])
  assert.deepStrictEqual([...told, "TC_ADMIN_PASSWORD"].toSorted(), Object.keys(settings).toSorted())
})
