import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
// @boundaries-ignore the generator belongs to the workspace; the schemas that it reads are tested here
import { render } from "../../../scripts/events.ts"

const file = readFileSync(new URL("../../webhooks/src/events.ts", import.meta.url), "utf8")

describe("the event types for receivers", () => {
  it("are what `npm run generate` writes today", () => assert.strictEqual(file, render()))
  it("import nothing", () => assert.notMatch(file, /\b(import|require)\b/))
  it("have no line that the formatter would break", () =>
    assert.deepStrictEqual(
      file.split("\n").filter((line) => line.length > 120),
      [],
    ))
})
