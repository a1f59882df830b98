import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
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
