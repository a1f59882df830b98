import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Vector } from "./Vector.ts"
import { vectors } from "./Vectors.ts"
import { verifiers } from "./Verifiers.ts"

const file: readonly Vector[] = JSON.parse(readFileSync(new URL("../vectors.json", import.meta.url), "utf8"))

it("vectors.json is what test/Vectors.ts makes", () => {
  assert.deepStrictEqual(file, vectors)
})

describe.each(verifiers)("verify with %s", (_, verify) => {
  it.each(file)("$name", async (vector) => {
    const body = vector.body ?? Buffer.from(vector.body_base64 ?? "", "base64")
    const { headers, secrets, brand, tolerance, expected } = vector
    const result = await verify({ headers, body }, secrets, { brand, tolerance, now: vector.now * 1000 })
    const found: Vector["expected"] = result.ok ? { ok: true, event: result.event.event } : result
    assert.deepStrictEqual(found, expected)
  })
})
