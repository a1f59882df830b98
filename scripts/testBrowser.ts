/**
 * A Chromium for the tests of the dashboard; its path reaches them as `inject("chromium")`. Where none is installed, Debian's is,
 * if this may be done: as root, or with sudo that asks nothing. Else it says so, and these tests are skipped.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    chromium: string | null
  }
}

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
const find = (): string | undefined =>
  [process.env["TC_TEST_CHROMIUM"] ?? "", ...places].find((path) => existsSync(path))

const run = (command: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0

const install = (): void => {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"]
  const apt = (...args: ReadonlyArray<string>) => {
    const [command = "", ...rest] = [...sudo, "apt-get", "-q", "-y", ...args]
    return run(command, ...rest)
  }
  console.error("No Chromium is installed: trying apt-get install chromium.")
  if (!apt("install", "--no-install-recommends", "chromium")) {
    apt("update")
    apt("install", "--no-install-recommends", "chromium")
  }
}

export default function setup(project: TestProject): void {
  if (find() === undefined && process.platform === "linux") install()
  const chromium = find() ?? null
  if (chromium === null) console.error("There is no Chromium: the tests of the dashboard in a browser are skipped.")
  project.provide("chromium", chromium)
}
