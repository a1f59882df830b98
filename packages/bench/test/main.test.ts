import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const faulty = new URL("fixtures/Faulty.ts", import.meta.url).href

interface Outcome {
  readonly code: number
  readonly stdout: string
}

/** Runs one short scenario with our engine, or with the contender that has this fault. */
const bench = (scenario: string, fault?: string): Promise<Outcome> => {
  const env = fault === undefined ? {} : { BENCH_OURS: faulty, BENCH_TEST_FAULT: fault }
  const args = [main, scenario, "--json", "--length", "0.01"]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env: { ...process.env, ...env } }, (_, stdout) =>
      resolve({ code: child.exitCode ?? -1, stdout }),
    )
  })
}

describe.concurrent("npm run bench -- SCENARIO --json", () => {
  it("prints one object with what ours came to, the floor, their ratio and a ledger that balances", async () => {
    const { code, stdout } = await bench("fan-out")
    assert.strictEqual(code, 0)
    const report = JSON.parse(stdout)
    assert.containsAllKeys(report, ["scenario", "project", "floor", "ratio", "ledger", "conditions", "spec"])
    assert.strictEqual(report.scenario, "fan-out")
    assert.closeTo(report.project.per_second / report.floor.per_second, report.ratio, 0.01)
    const { accepted, delivered, pending, failed, canceled, received, duplicates } = report.ledger
    assert.strictEqual(accepted, delivered + pending + failed + canceled)
    assert.strictEqual(received, delivered)
    assert.strictEqual(duplicates, 0)
    assert.isAbove(accepted, 0)
    assert.isFalse(report.void)
  })

  it("exits with 3 where a delivery was lost, and says so", async () => {
    const { code, stdout } = await bench("burst", "lose")
    assert.strictEqual(code, 3)
    const report = JSON.parse(stdout)
    assert.isTrue(report.void)
    assert.match(report.ledger.problems.join(), /deliveries are recorded that nobody received/)
  })

  it("exits with 3 where a delivery came twice, and says so", async () => {
    const { code, stdout } = await bench("burst", "double")
    assert.strictEqual(code, 3)
    assert.match(JSON.parse(stdout).ledger.problems.join(), /deliveries came twice/)
  })
})
