/** One throw-away PostgreSQL for a whole test run; its address reaches the tests as `inject("postgresUrl")`. */
import type { TestProject } from "vitest/node"
import { startTemporary } from "../packages/server/src/node/EmbeddedPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startTemporary()
  project.provide("postgresUrl", url)
  return stop
}
