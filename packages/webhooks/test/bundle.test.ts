import { gzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { brand, current, now, plain } from "./Vector.ts"
import { bundle, bundleAmong } from "./Verifiers.ts"

const output = await bundle("esm")
const [chunk] = output

it("@tc/webhooks/verify is one module that imports nothing", () => {
  assert.strictEqual(output.length, 1)
  assert.deepStrictEqual(
    chunk.moduleIds.map((id) => id.replace(/.*\/packages\//, "")),
    ["webhooks/src/verify.ts"],
  )
  assert.deepStrictEqual([...chunk.imports, ...chunk.dynamicImports], [])
  assert.notMatch(chunk.code, /\b(import|require)\s*\(/)
})

it("@tc/webhooks/verify has less than 1,000 bytes, minified and gzipped", () => {
  assert.isBelow(gzipSync(chunk.code).length, 1000)
})

it("@tc/webhooks/verify needs no WebCrypto where there is node:crypto", async () => {
  const verify = await bundleAmong({ TextEncoder, TextDecoder, process })
  const result = await verify({ headers: brand(), body: plain }, current, { now: now * 1000 })
  assert.isTrue(result.ok)
})
