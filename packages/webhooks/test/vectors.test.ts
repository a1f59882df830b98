import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Vector } from "./Vector.ts"
import { vectors } from "./Vectors.ts"
import { verifiers } from "./Verifiers.ts"

const file: readonly Vector[] = JSON.parse(readFileSync(new URL("../vectors.json", import.meta.url), "utf8"))

it("vectors.json is what `npm run generate` writes today", () => {
  assert.deepStrictEqual(file, vectors)
})

const bytes = (vector: Vector) =>
  Buffer.from(vector.body ?? vector.body_base64 ?? "", vector.body === undefined ? "base64" : "utf8")

describe.each(verifiers)("verify with %s", (_, verify) => {
  const judge = async (vector: Vector, body: string | Uint8Array): Promise<Vector["expected"]> => {
    const { headers, secrets, brand, tolerance, now } = vector
    const result = await verify({ headers, body }, secrets, { brand, tolerance, now: now * 1000 })
    return result.ok ? { ok: true, event: result.event.event } : result
  }

  it.each(file)("$name, as bytes", async (vector) => {
    assert.deepStrictEqual(await judge(vector, bytes(vector)), vector.expected)
  })

  it.each(file.filter((vector) => vector.body !== undefined))("$name, as text", async (vector) => {
    assert.deepStrictEqual(await judge(vector, vector.body ?? ""), vector.expected)
  })
})
