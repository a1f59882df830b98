/** What the figures were measured on: machine, versions and date. */
import { createRequire } from "node:module"
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os"
import * as Database from "./Database.ts"

export interface Conditions {
  readonly date: string
  readonly processor: string
  readonly cores: number
  readonly memory_gib: number
  readonly system: string
  /** Over the last minute: well above the cores, others were working on the machine too. */
  readonly load: number
  readonly versions: Readonly<Record<string, string>>
}

const packages = ["effect", "undici", "pg", "graphile-worker", "pg-boss", "bullmq"] as const

/** The version of an installed package, which need not export its package.json. */
const versionOf = (name: string): string => {
  const require = createRequire(import.meta.url)
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const { version }: { readonly version: string } = require(`${folder}/${name}/package.json`)
      return version
    } catch {
      // Not in this folder.
    }
  }
  return "unknown"
}

/** The conditions at this moment. */
export const read = async (): Promise<Conditions> => ({
  date: new Date().toISOString(),
  processor: cpus()[0]?.model.trim() ?? "unknown",
  cores: availableParallelism(),
  memory_gib: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${release().split("-")[0]} ${process.arch}`,
  load: Number((loadavg()[0] ?? 0).toFixed(1)),
  versions: {
    node: process.version,
    postgresql: await Database.version(),
    ...Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  },
})
