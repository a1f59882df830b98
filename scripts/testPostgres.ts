/**
 * One PostgreSQL for a whole test run; its address reaches the tests as `inject("postgresUrl")`. `TC_TEST_DATABASE_URL`
 * names one of another version, with a user who may create databases and roles; without it, an embedded one is made and thrown away.
 */
import type { TestProject } from "vitest/node"
import { startTemporary } from "../packages/server/src/node/EmbeddedPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["TC_TEST_DATABASE_URL"]
  if (given !== undefined) {
    project.provide("postgresUrl", given)
    return undefined
  }
  const { url, stop } = await startTemporary()
  project.provide("postgresUrl", url)
  return stop
}
