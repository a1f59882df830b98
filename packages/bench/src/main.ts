/** The benchmarks: `npm run bench` for all, `npm run bench -- steady verify` for some, `npm run bench -- steady --json`. */
import { writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import * as Child from "./Child.ts"
import * as Conditions from "./Conditions.ts"
import * as Database from "./Database.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Figure from "./Figure.ts"
import * as Http from "./Http.ts"
import * as Lists from "./Lists.ts"
import * as Paint from "./Paint.ts"
import * as Report from "./Report.ts"
import { Void } from "./Rig.ts"
import type { Scenario } from "./Scenario.ts"
import { backlog } from "./scenarios/Backlog.ts"
import { burst } from "./scenarios/Burst.ts"
import { deadEndpoints } from "./scenarios/DeadEndpoints.ts"
import { fanOut } from "./scenarios/FanOut.ts"
import { restart } from "./scenarios/Restart.ts"
import { steady } from "./scenarios/Steady.ts"
import { throughput } from "./scenarios/Throughput.ts"
import * as Table from "./Table.ts"
import * as Verify from "./Verify.ts"

const scenarios: Readonly<Record<string, Scenario>> = {
  steady,
  throughput,
  burst,
  "fan-out": fanOut,
  "dead-endpoints": deadEndpoints,
  backlog,
  restart,
}

const parts = {
  deliveries: Deliveries.figures,
  http: Http.figures,
  lists: Lists.figures,
  verify: Verify.figures,
  paint: Paint.figures,
}

/** Our contender for the parts: a module that exports `makeHttpApi`, as HttpApi.ts describes it. */
const ours = import.meta.resolve("./Ours.ts")

/** What a run exits with when a ledger does not balance: its figures mean nothing. */
const VOID = 3

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    /** One scenario as one JSON object, and nothing else on the standard output. */
    json: { type: "boolean", default: false },
    /** How long rounds are, as a share of those that count; to try a scenario. */
    length: { type: "string", default: "1" },
  },
})

const names = [...Object.keys(scenarios), ...Object.keys(parts)]
const unknown = chosen.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`nothing is called ${unknown.join(", ")}; there are ${names.join(", ")}`)
const length = Number(options.length)

const json = async (name: string | undefined): Promise<void> => {
  const scenario = scenarios[name ?? ""]
  if (scenario === undefined || chosen.length > 1) throw new Error("--json wants one scenario")
  const report = await scenario(length)
  console.log(JSON.stringify(await Report.toJson(report)))
  if (Report.isVoid(report)) process.exitCode = VOID
}

/** Ratios are of one run, but a machine that is busy with other work blurs them: with load well above the cores, run again. */
const conditions = async () => {
  const { date, cores, load, versions } = await Conditions.read()
  return `${date.slice(0, 10)}, Node ${versions["node"]}, PostgreSQL ${versions["postgresql"]}, ${cores} cores, load ${load}`
}

const table = async (): Promise<void> => {
  const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)
  const reports = new Array<Report.Report>()
  const others = new Array<string>()
  console.log(`${await conditions()}\n${Figure.head()}`)
  for (const [name, scenario] of Object.entries(scenarios).filter(([name]) => isChosen(name))) {
    console.error(`${name} …`)
    const report = await scenario(length)
    reports.push(report)
    for (const line of Table.lines(report)) console.log(line)
    if (Report.isVoid(report)) process.exitCode = VOID
  }
  for (const [, figures] of Object.entries(parts).filter(([name]) => isChosen(name))) {
    for await (const line of figures(ours, length)) {
      others.push(line)
      console.log(line)
    }
  }
  console.log(await conditions())
  // Only what was measured whole, and counts, is written down.
  if (chosen.length === 0 && length === 1 && process.exitCode !== VOID)
    await writeFile("docs/benchmarks.md", Table.page(reports, others, await Conditions.read()))
}

// Whoever breaks a run off leaves no PostgreSQL behind.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    Child.killAll()
    void Database.dropAll().finally(() => process.exit(1))
  })

try {
  await (options.json ? json(chosen[0]) : table())
} catch (error) {
  if (!(error instanceof Void)) throw error
  console.error(`VOID: ${error.message}`)
  process.exitCode = VOID
} finally {
  await Database.dropAll()
}
// Children that an error left behind end with this process.
process.exit()
