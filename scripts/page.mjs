// node scripts/page.mjs [folder]
// Builds the dashboard's page where one of its files has changed since the last time, and copies it into the folder, if
// one is named: that is how it gets into the package of the server.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))
const page = join(root, "packages", "dashboard")
const dist = join(page, "dist")
const stamp = join(page, "node_modules", ".built")

const sources = readdirSync(join(page, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(page, join(entry.parentPath, entry.name)))
  .toSorted()
const hash = createHash("sha256").update(readFileSync(join(root, "pnpm-lock.yaml")))
for (const file of ["index.html", "package.json", "vite.config.ts", ...sources])
  hash.update(file).update(readFileSync(join(page, file)))
const version = hash.digest("hex")

const isBuilt = existsSync(join(dist, "index.html")) && existsSync(stamp) && readFileSync(stamp, "utf8") === version
if (!isBuilt) {
  const vite = join(page, "node_modules", "vite", "bin", "vite.js")
  const build = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: page,
    // What it says goes where an install's words go: apart from what a command prints.
    stdio: ["ignore", 2, 2],
  })
  if (build.status !== 0) process.exit(build.status ?? 1)
  writeFileSync(stamp, version)
}

const [folder] = process.argv.slice(2)
if (folder !== undefined) {
  rmSync(resolve(folder), { recursive: true, force: true })
  cpSync(dist, resolve(folder), { recursive: true })
}
