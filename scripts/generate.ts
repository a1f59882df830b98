/** Writes what is derived: the types of the events that receivers are sent, and the vectors that verifiers are tried with. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { vectors } from "../packages/webhooks/test/Vectors.ts"
import { render } from "./events.ts"

const packageFile = (path: string) => fileURLToPath(new URL(`../packages/webhooks/${path}`, import.meta.url))

writeFileSync(packageFile("src/events.ts"), render())
writeFileSync(packageFile("vectors.json"), JSON.stringify(vectors, null, 2))
execFileSync("oxfmt", [packageFile("vectors.json")], { stdio: "inherit" })
