// Prints each test that failed, and each file that did not load, from the JSON report of vitest: name and reason.
import { existsSync, readFileSync } from "node:fs"
import { relative } from "node:path"

const REASON_CHARACTERS = 1500

const print = (name, reason) =>
  process.stdout.write(`- ${name}\n${reason.slice(0, REASON_CHARACTERS).replace(/^/gm, "    ")}\n`)

const [report] = process.argv.slice(2)
if (existsSync(report)) {
  for (const file of JSON.parse(readFileSync(report, "utf8")).testResults) {
    const failed = file.assertionResults.filter(({ status }) => status === "failed")
    const path = relative(process.cwd(), file.name)
    for (const test of failed) print(`${path} > ${test.fullName}`, test.failureMessages.join("\n"))
    if (file.status === "failed" && failed.length === 0) print(path, file.message)
  }
}
